import { Problem, problem } from '#kernel/errors.ts'
import { integer, text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { firstQueryValue, type RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { selectPlanFor } from '#server/data/plan.ts'
import { escapeLike, prepareSql } from '#server/data/values.ts'
import type { Db } from '#server/db/db.ts'
import { isDbError, type PreparedSql, type SqlConn } from '#server/db/db.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { decodeBase64Text } from '#server/http/json.ts'
import type { ListPaging } from '#server/http/list-route.ts'
import { hydraPage } from '#server/http/list-route.ts'
import { companiesHouse, parseCompanyNumber } from './company.ts'
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

/** A company found by a search: its columns and ranking values. */
interface CompanyMatch {
  readonly id: number
  readonly active: boolean
  readonly begins: boolean
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
  values: readonly [part: string, other: string],
  limit: number,
): Promise<CompanyMatch[]> {
  const rows = await conn.rows<{ row: unknown[]; begins: boolean; active: boolean; length: number; id: number }>(
    `SELECT json_build_array(${plan.select}) AS row, t.id, starts_with(t.key, lower($1)) AS begins, t.active, t.length
     FROM (SELECT id FROM company WHERE ${where} ORDER BY ${RANK} LIMIT ${limit}) k JOIN company t USING (id)`,
    values,
  )
  return rows.map((r) => ({ ...r, sent: plan.send(r.row) }))
}

/** Compares companies for ranking: active companies first, then names that start with the text, then shorter names. */
const rank = (a: CompanyMatch, b: CompanyMatch) =>
  Number(b.active) - Number(a.active) || Number(b.begins) - Number(a.begins) || a.length - b.length || a.id - b.id

/**
 * Returns true if the trigram index can find the text, which needs three characters in a row, or the start or end of a
 * word.
 */
const isFindable = (part: string) =>
  /.{3}/u.test(part) && /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(part)

/** Finds companies by part of their name, best match first. One or two characters match only the start of a name. */
async function searchCompanies(db: Db, typed: string, limit: number): Promise<ApiRecord[]> {
  const part = typed.replace(/\s+/g, ' ').trim()
  if (!part) return []
  const [begins, holds] = await Promise.all([
    findBest(db.read, 'key >= lower($1) AND key < lower($2)', [part, `${part}\u{10ffff}`], limit),
    isFindable(part) ? findByPart(db, part, limit) : [],
  ])
  return [...begins, ...holds]
    .sort(rank)
    .slice(0, limit)
    .map((c) => c.sent)
}

const findByPart = (db: Db, part: string, limit: number): Promise<CompanyMatch[]> =>
  db
    .tx({ clientId: 0 }, async (tx) => {
      // Sends the statements in one batch to save a round trip.
      const found = [
        tx.script(`SET LOCAL statement_timeout = '${SEARCH_TIMEOUT}'`),
        findBest(tx, 'key LIKE lower($2) AND NOT starts_with(key, lower($1))', [part, `%${escapeLike(part)}%`], limit),
      ] as const
      return (await Promise.all(found))[1]
    })
    .catch((e: unknown) => {
      if (!isDbError(e) || e.code !== TIMED_OUT) throw e
      throw new Problem(503, 'Too many companies match. Please type more of the name, or enter the company number.')
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
    const number = /\d{5}/.test(typed) ? parseCompanyNumber(typed) : undefined
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
      const typed = decodeBase64Text(firstQueryValue(query.companyName).trim()).slice(0, MAX_NAME_LENGTH)
      const p = pageIn(query)
      const { companies, total, notice } = typed
        ? await registerOf(engine).search(typed, { ...p, reach: REACH })
        : { companies: [], total: 0, notice: undefined }
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
