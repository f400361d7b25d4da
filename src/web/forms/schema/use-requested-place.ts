import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { FormParts } from './parts.ts'
import { leadTo } from './problems.tsx'
import type { Go } from './use-step.ts'

/** The part of an address that names a place of the form: `?step=hazards&at=controls[3].probability`. */
const AT = 'at'

/** The address of a place in the form at `form`. */
export const addressOfPlace = (form: string, step: string, path: string): string =>
  `${form}?${new URLSearchParams({ step, [AT]: path })}`

/** Leads to the place that the address names, once, with everything shown that is wrong. */
export function useRequestedPlace(parts: FormParts, go: Go): void {
  const [search, setSearch] = useSearchParams()
  const place = search.get(AT)
  const arrive = useEffectEvent((path: string) => {
    parts.store.check()
    leadTo(parts, go, path)
    const rest = new URLSearchParams(search)
    rest.delete(AT)
    // What it has led to stays where it is.
    setSearch(rest, { replace: true, preventScrollReset: true })
  })
  useEffect(() => {
    if (place) arrive(place)
  }, [place])
}
