import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { SchemaFormContext } from './parts.ts'
import { focusFormPath } from './problems.tsx'
import type { OpenFormStep } from './step-map.tsx'

/** The parameter of an address that names a path in the form: `?step=hazards&at=controls[3].probability`. */
const AT = 'at'

/** The address of a path in a form; `form` is the address of the form. */
export const formPathUrl = (form: string, step: string, path: string): string =>
  `${form}?${new URLSearchParams({ step, [AT]: path })}`

/** Opens the path in the page's address, once, and shows all problems. */
export function useOpenPathFromUrl(parts: SchemaFormContext, go: OpenFormStep): void {
  const [search, setSearch] = useSearchParams()
  const place = search.get(AT)
  const arrive = useEffectEvent((path: string) => {
    parts.store.check()
    focusFormPath(parts, go, path)
    const rest = new URLSearchParams(search)
    rest.delete(AT)
    // Keeps the target in view instead of scrolling to the top.
    setSearch(rest, { replace: true, preventScrollReset: true })
  })
  useEffect(() => {
    if (place) arrive(place)
  }, [place])
}
