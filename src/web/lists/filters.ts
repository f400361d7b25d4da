import { labelOf } from '#kernel/fields.ts'
import { endOfIri } from '#kernel/iri.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'

/** What a list is narrowed by: the value of each filter, empty where it is off. */
export type Narrowing = Readonly<Record<string, string>>

export interface FilterOption {
  readonly value: string
  readonly label: string
  /** What the list is asked where this is chosen, by filter, whatever those are set to; its own, too, where that is another value. */
  readonly asks?: Readonly<Record<string, string>>
}

/** One thing that a list can be narrowed by, kept in the address under `key`. */
export interface Filter {
  readonly key: string
  readonly label: string
  readonly options?: readonly FilterOption[]
  /** Records to choose from, searched as one types. */
  readonly target?: Resource
  /** The list is counted by it: each option says how many there are. */
  readonly counted?: boolean
}

/** A filter as a screen names it: a field, or a field with changes, or one of its own. */
export type FilterSpec = string | ({ readonly key: string } & Partial<Filter>)

const YES_NO: readonly FilterOption[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** Filters from a declaration's fields. */
export const filtersOf = (r: Pick<Resource, 'fields'>, specs: readonly FilterSpec[]): Filter[] =>
  specs.map((spec) => {
    const given: { readonly key: string } & Partial<Filter> = typeof spec === 'string' ? { key: spec } : spec
    const f = r.fields[given.key]
    return {
      label: f ? labelOf(given.key, f) : given.key,
      ...(f?.kind === 'flag' ? { options: YES_NO } : {}),
      ...(f?.kind === 'choice'
        ? { options: (f.options ?? []).map((o) => ({ value: String(o.value), label: o.label })) }
        : {}),
      ...(f?.kind === 'link' ? { target: f.target!() } : {}),
      ...(f?.count ? { counted: true } : {}),
      ...given,
    }
  })

/** The options that are chosen and ask for something of their own. */
const asking = (filters: readonly Filter[], values: Narrowing) =>
  filters.flatMap((f) => {
    const asks = f.options?.find((o) => o.value === values[f.key])?.asks
    return asks ? [{ key: f.key, asks }] : []
  })

/** What a list is asked where this is chosen. */
export const narrowedBy = (filters: readonly Filter[], values: Narrowing): Narrowing =>
  Object.assign({}, values, ...asking(filters, values).map(({ asks }) => asks))

/** What the filters then say of themselves: what is chosen, and what that has set the others to. */
export const visibleFilterValues = (filters: readonly Filter[], values: Narrowing): Narrowing => ({
  ...narrowedBy(filters, values),
  ...Object.fromEntries(asking(filters, values).map(({ key }) => [key, values[key] ?? ''])),
})

/** In the address a record is its id; the API and the inputs take the IRI. */
export const iriOfFilter = (f: Filter, value: string): string | null =>
  value && f.target ? iriOf(f.target, value) : null
export const filterOfIri = (iri: string | null): string => (iri === null ? '' : endOfIri(iri))

/** The parameter that a list's words are searched by. */
export function searchParam(r: Resource): string | undefined {
  if (Object.values(r.fields).some((f) => f.search)) return 'q'
  const title = r.title
  const match = title === undefined ? undefined : r.fields[title]?.filter
  return match && match !== true && match !== 'exact' ? title : undefined
}
