/** A company found in a search, with the details that are copied into a form. */
export interface FoundCompany {
  readonly '@id': string
  readonly companyName: string
  readonly companyNumber: string
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly county: string
  readonly postcode: string
  readonly status: string
  readonly active: boolean
}

/** Fields of a lead or customer that a company's details can fill. */
export const COMPANY_FIELDS = [
  'companyName',
  'companyNumber',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
] as const
export type CompanyFieldName = (typeof COMPANY_FIELDS)[number]
export type CompanyFieldValues = Partial<Record<CompanyFieldName, string>>

const ADDRESS: readonly CompanyFieldName[] = ['address1', 'address2', 'city', 'county', 'postcode']
const plainWords = (v: unknown) => (typeof v === 'string' ? v.trim() : '')
const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/**
 * Returns the changes to a form for a chosen company: `fill` for empty fields, `replace` for other fields. The address
 * fields are replaced together or not at all, because a mixture of two addresses would be wrong.
 */
export function diffCompanyFields(found: FoundCompany, now: Readonly<Record<string, unknown>>) {
  const differs = (name: CompanyFieldName) => {
    const [from, to] = [plainWords(now[name]), plainWords(found[name])]
    return from !== '' && to !== '' && !isSame(from, to)
  }
  const moved = ADDRESS.some(differs)
  const fill: CompanyFieldValues = {}
  const replace: CompanyFieldValues = {}
  for (const name of COMPANY_FIELDS) {
    const [from, to] = [plainWords(now[name]), plainWords(found[name])]
    if (isSame(from, to)) continue
    if (differs(name) || (moved && ADDRESS.includes(name))) replace[name] = to
    else if (!from) fill[name] = to
  }
  return { fill, replace }
}

/** Formats an address on one line, for example `57 Pepper Road, Leeds LS10 2RU`. */
export const formatCompanyAddress = (c: FoundCompany): string =>
  [c.address1, c.address2, [c.city, c.postcode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
