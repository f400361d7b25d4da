import { Problem } from '#kernel/errors.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Db } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { companiesHouse, parseCompanyNumber } from './company.ts'
import { fetchPublicCompany, type RegisterApi, RegisterUnavailable, searchPublicRegister } from './live.server.ts'
import { findCompanyById, findCompanyByNumber, searchCompanies } from './search.server.ts'

/** Range of found companies, within the best `reach`. */
export interface CompanySearchRange {
  readonly offset: number
  readonly limit: number
  readonly reach: number
}

export interface CompanySearchResult {
  readonly companies: readonly ApiRecord[]
  /** Total, up to the search limit. */
  readonly total: number
  /** Message for the user: why the data may be old, or is missing. */
  readonly notice?: string
}

const EMPTY = 'The register of companies has not been loaded yet. Please enter the company’s details manually.'

/** Register of companies: the public one if there is a key, with our own copy as fallback; otherwise our own copy. */
export class CompanyRegister {
  private readonly engine: Engine
  private readonly db: Db
  private readonly live: RegisterApi | undefined
  private any = false
  constructor(engine: Engine) {
    const { companiesHouseKey: key, companiesHouseUrl: url } = engine.config
    this.engine = engine
    this.db = engine.db
    this.live = key ? { key, url } : undefined
  }

  /** Searches companies by part of the name or by number; an exact number comes first. */
  async search(typed: string, wanted: CompanySearchRange): Promise<CompanySearchResult> {
    const { live } = this
    if (!live) return this.own(typed, wanted)
    try {
      return await searchPublicRegister(live, typed, wanted)
    } catch (e) {
      if (!(e instanceof RegisterUnavailable)) throw e
      const own = await this.own(typed, wanted)
      if (own.notice === EMPTY) throw noAnswer(e)
      return { ...own, notice: `${e.message} These results are from our own copy, which may be older.` }
    }
  }

  /** One company by number or, from our own copy, by ID. */
  async one(given: string): Promise<ApiRecord | undefined> {
    if (/^\d{9,15}$/.test(given)) return findCompanyById(this.db.read, Number(given))
    const number = parseCompanyNumber(given) ?? given.toUpperCase()
    const { live } = this
    if (!live) return findCompanyByNumber(this.db.read, number)
    try {
      return await fetchPublicCompany(live, number)
    } catch (e) {
      if (!(e instanceof RegisterUnavailable)) throw e
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

  /** Cached once true: a loaded register never becomes empty. */
  private async loaded(): Promise<boolean> {
    this.any ||= await this.engine.readIn(PROVIDER, 'check that the register is loaded', (c) =>
      c.exists(companiesHouse, {}),
    )
    return this.any
  }
}

const noAnswer = (e: RegisterUnavailable) =>
  new Problem(503, `${e.message} Please enter the company’s details manually, or try again later.`)
