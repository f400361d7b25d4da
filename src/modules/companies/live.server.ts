import { z } from 'zod'
import type { ApiRecord } from '#server/data/json-select.ts'
import { requestJson } from '#server/outgoing.ts'
import { companiesHouse } from './company.ts'

/** Base URL and API key of the public register's API. */
export interface CompanyRegisterApi {
  readonly url: string
  readonly key: string
}

/** Thrown when the public register can't be queried; `message` gives the reason. */
export class CompanyRegisterUnavailableError extends Error {}

const REGISTER_TIMEOUT_MS = 4000
/** Maximum response size in bytes, enough for a hundred companies with all details. */
const MAX_RESPONSE_BYTES = 1_000_000
const words = z
  .string()
  .nullish()
  .transform((s) => s ?? '')
const address = z
  .object({
    premises: words,
    address_line_1: words,
    address_line_2: words,
    locality: words,
    region: words,
    country: words,
    postal_code: words,
  })
  .partial()
const company = z.object({
  company_number: z.string(),
  company_name: words,
  title: words,
  company_status: words,
  type: words,
  company_type: words,
  date_of_creation: z.string().nullish(),
  date_of_cessation: z.string().nullish(),
  sic_codes: z.array(z.string()).nullish(),
  registered_office_address: address.nullish(),
  address: address.nullish(),
})
const results = z.object({ items: z.array(company).nullish(), total_results: z.int().nonnegative().nullish() })

/** Formats a company type, for example `private-limited-guarant-nsc` as `Private limited guarant nsc`. */
const typeWords = (s: string) => (s.charAt(0).toUpperCase() + s.slice(1)).replaceAll('-', ' ')

function send(c: z.infer<typeof company>): ApiRecord {
  const a = c.registered_office_address ?? c.address ?? {}
  const street = [a.premises, a.address_line_1].filter(Boolean).join(' ')
  return {
    '@id': `${companiesHouse.url}/${c.company_number}`,
    '@type': companiesHouse.type,
    id: c.company_number,
    companyName: c.company_name || c.title,
    companyNumber: c.company_number,
    address1: street,
    address2: a.address_line_2 ?? '',
    city: a.locality ?? '',
    county: a.region ?? '',
    country: a.country ?? '',
    postcode: a.postal_code ?? '',
    category: typeWords(c.type || c.company_type),
    status: typeWords(c.company_status),
    active: !c.date_of_cessation && /^(active|open|registered|)$/.test(c.company_status),
    sicCodes: c.sic_codes ?? [],
    incorporated: c.date_of_creation ?? null,
    dissolved: c.date_of_cessation ?? null,
  }
}

/**
 * Queries the public register; returns `undefined` if it has no such company. Throws `CompanyRegisterUnavailableError` on a
 * failure, a time-out or an unexpected response.
 */
async function ask<T>(live: CompanyRegisterApi, path: string, shape: z.ZodType<T>): Promise<T | undefined> {
  try {
    const { status, body } = await requestJson(live.url + path, {
      headers: { authorization: `Basic ${Buffer.from(`${live.key}:`).toString('base64')}`, accept: 'application/json' },
      timeoutMs: REGISTER_TIMEOUT_MS,
      most: MAX_RESPONSE_BYTES,
    })
    if (status === 404) return undefined
    if (status === 401 || status === 403)
      throw new CompanyRegisterUnavailableError(
        'The public register of companies rejected our API key. An administrator should check COMPANIES_HOUSE_KEY.',
      )
    if (status === 429)
      throw new CompanyRegisterUnavailableError('The public register of companies is receiving too many requests.')
    if (status >= 300 && status < 400)
      throw new CompanyRegisterUnavailableError(
        'The public register of companies has moved to another URL. An administrator should check COMPANIES_HOUSE_URL.',
      )
    if (body === undefined)
      throw new CompanyRegisterUnavailableError('The public register of companies is unavailable.')
    return shape.parse(body)
  } catch (e) {
    throw e instanceof CompanyRegisterUnavailableError
      ? e
      : new CompanyRegisterUnavailableError('The public register of companies could not be reached.')
  }
}

/**
 * Searches the public register for one page of companies. Returns the companies and the number of matches, at most
 * `reach`.
 */
export async function searchPublicRegister(
  live: CompanyRegisterApi,
  part: string,
  { offset, limit, reach }: { readonly offset: number; readonly limit: number; readonly reach: number },
) {
  const query = new URLSearchParams({ q: part, items_per_page: String(limit) })
  if (offset) query.set('start_index', String(offset))
  const found = offset < reach ? await ask(live, `/search/companies?${query}`, results) : undefined
  const companies = (found?.items ?? []).slice(0, Math.min(limit, reach - offset)).map(send)
  return { companies, total: Math.min(reach, found?.total_results ?? offset + companies.length) }
}

export async function fetchRegisteredCompany(live: CompanyRegisterApi, number: string): Promise<ApiRecord | undefined> {
  const found = await ask(live, `/company/${encodeURIComponent(number)}`, company)
  return found && send(found)
}
