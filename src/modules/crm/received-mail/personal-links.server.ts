import { findPasswordLinkHashes } from '#server/auth/credentials.ts'
import { hashSecret } from '#server/auth/secret.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { createTurnGiver } from '#server/slices.ts'

/** Lengths of the secrets in links: in links to records, and in password links. */
const SECRET_LENGTHS = [32, 43]
/** Number of different characters that every random secret has. This excludes lines of hyphens and the like. */
const MIN_DIFFERENT_CHARACTERS = 12
/** Maximum number of hashes in one query. */
const MAX_HASHES = 20_000
/**
 * Characters that may break a link: the end of a line with the next line's quotation marks, and invisible characters.
 */
const BREAK = '(?:[ \\t]*\\n[ \\t>]*|[\\u00ad\\u200b-\\u200d\\u2060\\ufeff])'
const RUN = new RegExp(`[\\w-]+(?:${BREAK}+[\\w-]+)*`, 'g')
/** The part of a link before its secret. */
const LINK_BEGINNING = '[\\w.:/%?=&#+-]{0,200}'
/** Links to web pages, including those that mail programs have made unusable. */
const WEB_LINK = /\bh(?:tt|xx)ps?:\/\/\S+/gi
const NOTE = '(link not stored)'

type Change = (text: string) => string

/** Applies a change to all texts within a value. */
const mapTexts = (value: unknown, change: Change): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]))
}

/**
 * Replaces links to web pages and all secrets of the client's personal links in the texts of a received e-mail, with or
 * without the rest of the link, even if it is broken over several lines.
 */
export async function removePersonalLinks<T extends object>(engine: Engine, clientId: number, mail: T): Promise<T> {
  const texts: string[] = []
  mapTexts(mail, (text) => {
    texts.push(text)
    return text
  })
  const secrets = await findSecrets(engine, clientId, texts)
  const patterns = secrets.map((secret) => new RegExp(`${LINK_BEGINNING}${Array.from(secret).join(`${BREAK}*`)}`, 'g'))
  const remove: Change = (text) => patterns.reduce((rest, one) => rest.replace(one, NOTE), text).replace(WEB_LINK, NOTE)
  return mapTexts(mail, remove) as T
}

/** Returns the secrets of a client's links that texts contain, by their hashes. */
async function findSecrets(engine: Engine, clientId: number, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  let candidates = new Map<string, string>()
  const check = async () => {
    for (const hash of await findLinkHashes(engine, clientId, [...candidates.keys()]))
      found.push(candidates.get(hash) ?? '')
    candidates = new Map()
  }
  const giveTurn = createTurnGiver()
  for (const candidate of candidatesIn(texts)) {
    candidates.set(hashSecret(candidate), candidate)
    if (candidates.size >= MAX_HASHES) await check()
    const turn = giveTurn()
    if (turn) await turn
  }
  if (candidates.size) await check()
  return found
}

/** Yields all parts of texts that may be secrets, with breaks removed. */
function* candidatesIn(texts: readonly string[]): Generator<string> {
  for (const text of texts)
    for (const [run] of text.matchAll(RUN)) {
      const joined = run.replace(/[^\w-]/g, '')
      for (const length of SECRET_LENGTHS)
        for (let at = 0; at + length <= joined.length; at++) {
          const candidate = joined.slice(at, at + length)
          if (new Set(candidate).size >= MIN_DIFFERENT_CHARACTERS) yield candidate
        }
    }
}

/** Returns the hashes that belong to links of the client. */
async function findLinkHashes(engine: Engine, clientId: number, hashes: readonly string[]): Promise<string[]> {
  const queries = registryOf(engine).resources.flatMap(({ table, fields, allow }) =>
    ['hash', 'hashes'].flatMap((name) => {
      const isHidden = fields[name] !== undefined && (fields[name].visible === 'nobody' || allow.read === 'nobody')
      if (!isHidden) return []
      return name === 'hash'
        ? [`SELECT hash FROM ${table} WHERE client_id = $1 AND hash = ANY($2)`]
        : [`SELECT h.hash FROM ${table} t, unnest(t.hashes) h (hash) WHERE t.client_id = $1 AND h.hash = ANY($2)`]
    }),
  )
  const ofRecords = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ hash: string }>(queries.join(' UNION '), [clientId, hashes]),
  )
  const ofPasswords = await engine.db.tx('system', (tx) => findPasswordLinkHashes(tx, clientId, hashes))
  return [...ofRecords.map(({ hash }) => hash), ...ofPasswords]
}
