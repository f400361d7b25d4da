import { labelOf } from '#kernel/fields.ts'
import { lastIriSegment } from '#kernel/iri.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'

/** Values of a list's filters, by key. The value is empty if the filter is not set. */
export type FilterValues = Readonly<Record<string, string>>

export interface FilterOption {
  readonly value: string
  readonly label: string
  /**
   * Filter values sent if this option is chosen, by filter key. They override the values of those filters, and may
   * replace the value of the option's own filter.
   */
  readonly asks?: Readonly<Record<string, string>>
}

/** Filter of a list. Its value is stored in the URL under `key`. */
export interface ListFilter {
  readonly key: string
  readonly label: string
  readonly options?: readonly FilterOption[]
  /** Resource of the records to choose from, which are searched while typing. */
  readonly target?: Resource
  /** Whether each option shows how many records match it. */
  readonly counted?: boolean
}

/**
 * Filter as declared by a screen: a field name, a field with overridden properties, or a filter that is not a field.
 */
export type FilterSpec = string | ({ readonly key: string } & Partial<ListFilter>)

const YES_NO: readonly FilterOption[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

export const buildFilters = (r: Pick<Resource, 'fields'>, specs: readonly FilterSpec[]): ListFilter[] =>
  specs.map((spec) => {
    const given: { readonly key: string } & Partial<ListFilter> = typeof spec === 'string' ? { key: spec } : spec
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

/** Returns the filter values that the chosen options set, with the key of each option's own filter. */
const asking = (filters: readonly ListFilter[], values: FilterValues) =>
  filters.flatMap((f) => {
    const asks = f.options?.find((o) => o.value === values[f.key])?.asks
    return asks ? [{ key: f.key, asks }] : []
  })

/** Returns the filter values to send. Values set by chosen options override the values of the filters. */
export const resolveFilterValues = (filters: readonly ListFilter[], values: FilterValues): FilterValues =>
  Object.assign({}, values, ...asking(filters, values).map(({ asks }) => asks))

/**
 * Returns the filter values to show: each filter's chosen option, and the values that chosen options have set for other
 * filters.
 */
export const visibleFilterValues = (filters: readonly ListFilter[], values: FilterValues): FilterValues => ({
  ...resolveFilterValues(filters, values),
  ...Object.fromEntries(asking(filters, values).map(({ key }) => [key, values[key] ?? ''])),
})

/**
 * Converts an ID from the URL to the IRI that the API and the inputs expect. Returns null if the value is empty or the
 * filter doesn't select a record.
 */
export const filterValueToIri = (f: ListFilter, value: string): string | null =>
  value && f.target ? iriOf(f.target, value) : null
export const iriToFilterValue = (iri: string | null): string => (iri === null ? '' : lastIriSegment(iri))

/** Returns the query parameter for a list's search text, or undefined if the list can't be searched. */
export function findSearchParam(r: Resource): string | undefined {
  if (Object.values(r.fields).some((f) => f.search)) return 'q'
  const title = r.title
  const match = title === undefined ? undefined : r.fields[title]?.filter
  return match && match !== true && match !== 'exact' ? title : undefined
}
