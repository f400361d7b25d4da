import { createContext } from 'react'
import type { Article } from './article.ts'
import type { ModuleDashboard } from './dashboard.ts'
import type { FoundKind } from './finds.ts'
import type { Load, Page } from './page.ts'
import type { Panel } from './panels.tsx'

/** The face that an area shows on the web: all that the portal takes from it. */
export interface WebModule {
  readonly pages: readonly Page[]
  /** Its records that the palette finds, in the order of the groups. */
  readonly finds?: Load<readonly FoundKind[]>
  /** What its nouns have for the dashboard, and how one begins with it. */
  readonly dashboard?: Load<ModuleDashboard>
  /** Articles of the help about it. */
  readonly help?: Load<readonly Article[]>
  /** Beginnings of addresses of which the answers may be kept on the device of whoever opens a page that is kept. */
  readonly keeps?: readonly string[]
  /** What it shows on the pages of other areas' records. */
  readonly panels?: readonly Panel[]
}

/** All modules of the portal. */
export const ModulesContext = createContext<readonly WebModule[]>([])

/** What several modules bring, loaded side by side. */
export async function loadAll<T>(loads: readonly (Load<readonly T[]> | undefined)[]): Promise<readonly T[]> {
  const loaded = await Promise.all(loads.flatMap((load) => (load ? [load()] : [])))
  return loaded.flatMap((brought) => brought.default)
}
