import { createReadStream } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Config } from '#server/config.ts'
import type { Engine } from '#server/engine/types.ts'
import { systemErrorCode } from '#server/error-code.ts'
import type { EvidenceFinding } from './finding.ts'
import { type EvidenceKeys, evidenceFolder, loadEvidenceKeys, type SignedChainHead } from './keys.ts'

type Where = Pick<Config, 'dataDir'>

const fileOf = (config: Where) => join(evidenceFolder(config), 'heads.jsonl')

/** Appends heads to the file outside the database, one per line. */
export async function appendChainHeads(config: Where, heads: readonly SignedChainHead[]): Promise<void> {
  await mkdir(evidenceFolder(config), { recursive: true, mode: 0o700 })
  const lines = heads.map((head) => `${JSON.stringify(head)}\n`).join('')
  await appendFile(fileOf(config), lines, { mode: 0o600, flush: true })
}

/**
 * Yields the heads in the file, in order. Yields none if there is no file, and skips a line that a crash has truncated.
 */
async function* readHeadsFromFile(config: Where): AsyncGenerator<SignedChainHead> {
  try {
    for await (const line of createInterface({
      input: createReadStream(fileOf(config)),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const head = headIn(line)
      if (head) yield head
    }
  } catch (e) {
    if (systemErrorCode(e) !== 'ENOENT') throw e
  }
}

function headIn(line: string): SignedChainHead | undefined {
  try {
    return JSON.parse(line) as SignedChainHead
  } catch {
    return undefined
  }
}

const PAGE = 500

/** Verifies each chain against its signed heads, both in the database and in the file outside the database. */
export async function verifyChainHeads(engine: Engine, clientId?: number): Promise<EvidenceFinding[]> {
  const keys = loadEvidenceKeys(engine.config)
  const told = new Map<string, EvidenceFinding>()
  const look = async (heads: readonly SignedChainHead[], where: HeadSource) => {
    for (const finding of await untrueHeads(engine, keys, heads, where)) {
      // Reports one mismatch of each kind per client. This is the first mismatch, except for missing entries: the last
      // mismatch shows how many entries are missing.
      const key = `${finding.clientId} ${finding.kind}`
      if (finding.kind === 'short' || !told.has(key)) told.set(key, finding)
    }
  }
  let page: SignedChainHead[] = []
  for await (const head of readHeadsFromFile(engine.config)) {
    if (clientId !== undefined && head.clientId !== clientId) continue
    page.push(head)
    if (page.length === PAGE) {
      await look(page, 'file')
      page = []
    }
  }
  await look(page, 'file')
  for (let after = 0; ; ) {
    const stored = await storedHeads(engine, clientId, after)
    await look(stored, 'database')
    const last = stored.at(-1)
    if (!last || stored.length < PAGE) return [...told.values()]
    after = last.id
  }
}

type HeadSource = 'file' | 'database'

const storedHeads = (engine: Engine, clientId: number | undefined, after: number) =>
  engine.db.read
    .rows<SignedChainHead & { readonly id: number }>(
      `SELECT h.id, h.client_id AS "clientId", h.entries, h.hash, h.key, h.signature,
         to_char(h.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
       FROM seal_head h WHERE h.id > $1 AND ($2::int IS NULL OR h.client_id = $2) ORDER BY h.id LIMIT ${PAGE}`,
      [after, clientId ?? null],
    )
    .then((heads) => heads.map((head) => ({ ...head, at: Temporal.Instant.from(head.at).toString() })))

interface HeadFinding extends EvidenceFinding {
  readonly kind: string
}

interface Beside {
  /** Hash of the chain entry that the head refers to. */
  readonly hash: string | null
  readonly stored: boolean
  readonly last: number
}

async function untrueHeads(
  engine: Engine,
  keys: EvidenceKeys,
  heads: readonly SignedChainHead[],
  where: HeadSource,
): Promise<HeadFinding[]> {
  if (!heads.length) return []
  const beside = await engine.db.read.rows<Beside>(
    `SELECT s.hash, EXISTS (SELECT 1 FROM seal_head k WHERE k.client_id = g.client_id AND k.entries = g.entries AND k.signature = g.signature) AS stored,
       coalesce((SELECT max(l.place) FROM seal l WHERE l.client_id = g.client_id), 0) AS last
     FROM unnest($1::int[], $2::int[], $3::text[]) WITH ORDINALITY AS g (client_id, entries, signature, n)
     LEFT JOIN seal s ON s.client_id = g.client_id AND s.place = g.entries ORDER BY g.n`,
    [heads.map((h) => h.clientId), heads.map((h) => h.entries), heads.map((h) => h.signature)],
  )
  return heads.flatMap((head, i) => {
    const found = beside[i]
    const [kind, untrue] = (found && untruthOf(keys, head, found, where)) ?? []
    return kind && untrue
      ? [{ clientId: head.clientId, named: `The signed head of ${head.entries} entries`, untrue, kind }]
      : []
  })
}

function untruthOf(
  keys: EvidenceKeys,
  head: SignedChainHead,
  { hash, stored, last }: Beside,
  where: HeadSource,
): [string, string] | undefined {
  const refusal = keys.refusalOf(head)
  if (refusal) return ['signature', `the copy in the ${where} ${refusal}`]
  if (hash === null)
    return ['short', `it was signed at ${head.at}, but the chain ends with entry ${last}: later entries are missing`]
  if (hash !== head.hash)
    return ['other', `it was signed at ${head.at}, but entry ${head.entries} of the chain now differs`]
  return stored ? undefined : ['gone', 'it is in the file outside the database, but no longer in the database']
}
