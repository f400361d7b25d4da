import { Problem, problem } from '#kernel/errors.ts'
import { integer, text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { firstQueryValue, type RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { selectPlanFor } from '#server/data/plan.ts'
import { prepareSql, toPgArrayText } from '#server/data/values.ts'
import type { Db } from '#server/db/db.ts'
import { isDbError, type PreparedSql, type SqlConn } from '#server/db/db.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { decodeBase64Text } from '#server/http/json.ts'
import type { ListPaging } from '#server/http/list-route.ts'
import { hydraPage } from '#server/http/list-route.ts'
import { companiesHouse, parseCompanyNumber, toRegisterKey, withoutLegalForm } from './company.ts'
import {
  type CompanyRegisterApi,
  CompanyRegisterUnavailableError,
  fetchRegisteredCompany,
  searchPublicRegister,
} from './live.server.ts'

const plan = selectPlanFor(companiesHouse)
const RANK = 'active DESC, length, key, id'
/** Maximum time that the database may spend on a search. */
const SEARCH_TIMEOUT = '3s'
const TIMED_OUT = '57014'
/** Minimum share of the text's trigrams that a similar name must contain. */
const SIMILAR = 0.5

/** A company found by a search: its columns and ranking values. */
interface CompanyMatch {
  readonly id: number
  readonly key: string
  readonly active: boolean
  readonly length: number
  readonly sent: ApiRecord
}

/**
 * Returns the highest-ranked companies that match a condition. The statement is unnamed, so that PostgreSQL plans it
 * for the given text: by the text index for rare text, in result order for common text.
 */
async function findBest(
  conn: SqlConn,
  where: string,
  values: readonly string[],
  limit: number,
  order = RANK,
): Promise<CompanyMatch[]> {
  const rows = await conn.rows<Omit<CompanyMatch, 'sent'> & { row: unknown[] }>(
    `SELECT json_build_array(${plan.select}) AS row, t.id, t.key, t.active, t.length
     FROM (SELECT id FROM company WHERE ${where} ORDER BY ${order} LIMIT ${limit}) k JOIN company t USING (id)`,
    values,
  )
  return rows.map((r) => ({ ...r, sent: plan.send(r.row) }))
}

/** Name of a company to look up: its register key, with and without the legal form. */
interface SearchedName {
  readonly key: string
  readonly core: string
}

/**
 * Returns how closely a company's name matches, closest first: the same name, the same name with another legal form, a
 * name that begins with the text, one that contains the text, one with all its words.
 */
function rankName({ key }: CompanyMatch, searched: SearchedName): number {
  if (key === searched.key) return 0
  if (withoutLegalForm(key) === searched.core) return searched.key === searched.core ? 0 : 1
  return key.startsWith(searched.core) ? 2 : key.includes(searched.core) ? 3 : 4
}

/** Sorts companies: closest names first, then active companies, then shorter names. */
function sortMatches(found: readonly CompanyMatch[], searched: SearchedName): CompanyMatch[] {
  const ranked = new Map(found.map((one) => [one.id, { one, rank: rankName(one, searched) }]))
  return [...ranked.values()]
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(b.one.active) - Number(a.one.active) ||
        a.one.length - b.one.length ||
        a.one.id - b.one.id,
    )
    .map(({ one }) => one)
}

/**
 * Returns true if the trigram index can find the text, which needs three characters in a row, or the start or end of a
 * word.
 */
const isFindable = (part: string) =>
  /.{3}/u.test(part) && /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(part)

/** Legal forms with which a name is looked up as a whole. */
const WHOLE_NAMES = ['', ' limited', ' plc', ' llp', ' cic', ' cyfyngedig']

/**
 * Finds companies by their name, best match first. One or two characters match only the start of a name. Similar names
 * are searched for only if no name contains the text or all its words.
 */
async function searchCompanies(db: Db, typed: string, limit: number): Promise<ApiRecord[]> {
  const key = toRegisterKey(typed)
  const searched = { key, core: withoutLegalForm(key) }
  const { core } = searched
  if (!core) return []
  const whole = toPgArrayText([key, ...WHOLE_NAMES.map((form) => core + form)])
  const found = await Promise.all([
    findBest(db.read, 'key = ANY($1::text[])', [whole], limit),
    findBest(db.read, 'key >= $1 AND key < $2', [core, `${core}\u{10ffff}`], limit),
    isFindable(core)
      ? findWithin(db, 'key LIKE $2 AND NOT starts_with(key, $1)', [core, `%${core}%`], limit).then(orTooMany)
      : [],
  ])
  if (found.some((some) => some.length))
    return sortMatches(found.flat(), searched)
      .slice(0, limit)
      .map(({ sent }) => sent)
  const words = core.split(' ')
  const areWords = words.length > 1 && words.every((word) => word.length > 1) && words.some(isFindable)
  const patterns = toPgArrayText(words.map((word) => `%${word}%`))
  const spread = areWords ? await findWithin(db, 'key LIKE ALL ($1::text[])', [patterns], limit) : []
  if (spread?.length) return sortMatches(spread, searched).map(({ sent }) => sent)
  if (core.length < SHORTEST_SIMILAR) return []
  const similar = await findWithin(db, '$1 <% key', [core], MAX_SIMILAR, 'word_similarity($1, key) DESC, length, id')
  const near = new Map((similar ?? []).map((one) => [one.id, one]))
  return [...near.values()].map(({ sent }) => sent)
}

/** Minimum number of letters to search for similar names, and the maximum number of similar names returned. */
const [SHORTEST_SIMILAR, MAX_SIMILAR] = [5, 10]

function orTooMany(found: CompanyMatch[] | undefined): CompanyMatch[] {
  if (found) return found
  throw new Problem(503, 'Too many companies match. Please type more of the name, or enter the company number.')
}

/** Finds companies within a time limit; returns `undefined` if it is exceeded. */
const findWithin = (
  db: Db,
  where: string,
  values: readonly string[],
  limit: number,
  order = RANK,
): Promise<CompanyMatch[] | undefined> =>
  db
    .tx({ clientId: 0 }, async (tx) => {
      // Sends the statements in one batch to save a round trip.
      const found = [
        tx.script(
          `SET LOCAL statement_timeout = '${SEARCH_TIMEOUT}'; SET LOCAL pg_trgm.word_similarity_threshold = ${SIMILAR}`,
        ),
        findBest(tx, where, values, limit, order),
      ] as const
      return (await Promise.all(found))[1]
    })
    .catch((e: unknown) => {
      if (!isDbError(e) || e.code !== TIMED_OUT) throw e
      return undefined
    })

const selectCompanyBy = (column: string) => prepareSql(`SELECT ${plan.select} FROM company t WHERE t.${column} = $1`)
const BY_NUMBER = selectCompanyBy('number')
const BY_ID = selectCompanyBy('id')

async function findOne(conn: SqlConn, by: PreparedSql, value: string | number): Promise<ApiRecord | undefined> {
  const [row] = await conn.arrays(by, [value])
  return row && plan.send(row)
}

const findCompanyByNumber = (conn: SqlConn, number: string) => findOne(conn, BY_NUMBER, number)
const findCompanyById = (conn: SqlConn, id: number) => findOne(conn, BY_ID, id)

/** Requested page of search results; results after the first `reach` are not available. */
interface CompanySearchRange {
  readonly offset: number
  readonly limit: number
  readonly reach: number
}

interface CompanySearchResult {
  readonly companies: readonly ApiRecord[]
  /** Number of matches, at most the search limit. */
  readonly total: number
  /** Message that tells the user why the data is missing or may be out of date. */
  readonly notice?: string
}

const EMPTY = 'The register of companies has not been loaded yet. Please enter the company’s details manually.'

/**
 * Company lookup. If an API key is set, queries the public register and falls back on the portal's own copy. Without a
 * key, queries only that copy.
 */
class CompanyRegister {
  private readonly engine: Engine
  private readonly db: Db
  private readonly live: CompanyRegisterApi | undefined
  private any = false
  constructor(engine: Engine) {
    const { companiesHouseKey: key, companiesHouseUrl: url } = engine.config
    this.engine = engine
    this.db = engine.db
    this.live = key ? { key, url } : undefined
  }

  /** Searches companies by number or by part of the name; a company with exactly that number is listed first. */
  async search(typed: string, wanted: CompanySearchRange): Promise<CompanySearchResult> {
    const { live } = this
    if (!live) return this.own(typed, wanted)
    try {
      return await searchPublicRegister(live, typed, wanted)
    } catch (e) {
      if (!(e instanceof CompanyRegisterUnavailableError)) throw e
      const own = await this.own(typed, wanted)
      if (own.notice === EMPTY) throw noAnswer(e)
      return {
        ...own,
        notice: `${e.message} These results are from our own copy of the register, which may be out of date.`,
      }
    }
  }

  /** Finds a company by number or, in the portal's own copy, by ID. */
  async one(given: string): Promise<ApiRecord | undefined> {
    if (/^\d{9,15}$/.test(given)) return findCompanyById(this.db.read, Number(given))
    const number = parseCompanyNumber(given) ?? given.toUpperCase()
    const { live } = this
    if (!live) return findCompanyByNumber(this.db.read, number)
    try {
      return await fetchRegisteredCompany(live, number)
    } catch (e) {
      if (!(e instanceof CompanyRegisterUnavailableError)) throw e
      const own = await findCompanyByNumber(this.db.read, number)
      if (!own) throw noAnswer(e)
      return own
    }
  }

  private async own(typed: string, { offset, limit, reach }: CompanySearchRange): Promise<CompanySearchResult> {
    const isNumber = /\d{5}|[a-z]\d{3}/i.test(typed.replace(/[\s\p{P}]/gu, ''))
    const number = isNumber ? parseCompanyNumber(typed) : undefined
    const exact = number && (await findCompanyByNumber(this.db.read, number))
    const named = await searchCompanies(this.db, typed, reach)
    const all = exact ? [exact, ...named.filter((c) => c.id !== exact.id)].slice(0, reach) : named
    const found = { companies: all.slice(offset, offset + limit), total: all.length }
    return all.length || (await this.loaded()) ? found : { ...found, notice: EMPTY }
  }

  /**
   * Returns true if the register has been loaded. The result is cached once true, because a loaded register never
   * becomes empty.
   */
  private async loaded(): Promise<boolean> {
    this.any ||= await this.engine.readIn(PROVIDER_CLIENT_ID, 'check that the register is loaded', (c) =>
      c.exists(companiesHouse, {}),
    )
    return this.any
  }
}

const noAnswer = (e: CompanyRegisterUnavailableError) =>
  new Problem(503, `${e.message} Please enter the company’s details manually, or try again later.`)

const MAX_ITEMS_PER_PAGE = 50
const USUAL = 20
/** Maximum number of results that are ranked and counted; users narrow the search by typing more of the name. */
const REACH = 100
/** Maximum length of a company name in the register, in characters. */
const MAX_NAME_LENGTH = 160

/**
 * Returns the possible meanings of a search text, likeliest first, because short words such as "Mill" are also valid
 * base64. Empty for an empty text.
 */
function listReadings(given: string): string[] {
  const decoded = decodeBase64Text(given)
  if (decoded === given) return given ? [given.slice(0, MAX_NAME_LENGTH)] : []
  const letters = decoded.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0
  const readings = 4 * letters >= 3 * decoded.length ? [decoded, given] : [given, decoded]
  return readings.map((one) => one.slice(0, MAX_NAME_LENGTH))
}

const registers = new WeakMap<Engine, CompanyRegister>()
const registerOf = (engine: Engine): CompanyRegister => {
  const register = registers.get(engine) ?? new CompanyRegister(engine)
  registers.set(engine, register)
  return register
}

const sizeOf = (v: RequestQuery[string]) => {
  const asked = parseId(firstQueryValue(v))
  return asked ? Math.min(asked, MAX_ITEMS_PER_PAGE) : USUAL
}

const pageIn = (query: RequestQuery): ListPaging => {
  const [size, page] = [sizeOf(query.itemsPerPage), parseId(firstQueryValue(query.page)) ?? 1]
  return { page, size, whole: false, partial: false, limit: size, offset: Math.min((page - 1) * size, REACH) }
}

export const companyRoutes: Route[] = [
  {
    method: 'GET',
    path: companiesHouse.url,
    title: 'Search companies by part of the name or by number; companyName may be base64-encoded',
    query: {
      companyName: text({ help: 'Part of the name, or the company number, as plain text or base64.' }),
      itemsPerPage: integer({ help: `Maximum: ${MAX_ITEMS_PER_PAGE}.` }),
      page: integer({ help: `Page number, starting at 1. Only the best ${REACH} results are available.` }),
    },
    listOf: 'objects',
    allow: companiesHouse.allow.read ?? 'nobody',
    handle: async ({ engine, query }) => {
      const p = pageIn(query)
      let result: CompanySearchResult = { companies: [], total: 0 }
      for (const typed of listReadings(firstQueryValue(query.companyName).trim()))
        if (!result.total) result = await registerOf(engine).search(typed, { ...p, reach: REACH })
      const { companies, total, notice } = result
      return {
        ...hydraPage({ query }, companiesHouse.url, p, { members: companies, total }),
        ...(notice ? { notice } : {}),
      }
    },
  },
  {
    method: 'GET',
    path: `${companiesHouse.url}/{id}`,
    title: 'Get a company by its number or ID',
    allow: companiesHouse.allow.read ?? 'nobody',
    handle: async ({ engine, params }) => {
      const found = await registerOf(engine).one((params.id ?? '').trim())
      if (!found) throw problem.notFound('There is no company with this number.')
      return found
    },
  },
]
