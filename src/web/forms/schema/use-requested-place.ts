import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { SchemaFormContext } from './parts.ts'
import { focusFormPath } from './problems.tsx'
import type { OpenFormStep } from './step-map.tsx'

/** URL parameter that contains the path of a form field: `?step=hazards&at=controls[3].probability`. */
const AT = 'at'

/** Returns the URL that opens a form at the field with the given path. `form` is the URL of the form. */
export const formPathUrl = (form: string, step: string, path: string): string =>
  `${form}?${new URLSearchParams({ step, [AT]: path })}`

/** Moves the focus once to the form field named in the page's URL, and shows all problems in the form. */
export function useFormPathFromUrl(parts: SchemaFormContext, go: OpenFormStep): void {
  const [search, setSearch] = useSearchParams()
  const place = search.get(AT)
  const arrive = useEffectEvent((path: string) => {
    parts.store.check()
    focusFormPath(parts, go, path)
    const rest = new URLSearchParams(search)
    rest.delete(AT)
    // `preventScrollReset` keeps the field in view, because the page would otherwise scroll to the top.
    setSearch(rest, { replace: true, preventScrollReset: true })
  })
  useEffect(() => {
    if (place) arrive(place)
  }, [place])
}
