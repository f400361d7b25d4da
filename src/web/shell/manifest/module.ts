import { createContext } from 'react'
import type { Article } from './article.ts'
import type { ModuleDashboard } from './dashboard.ts'
import type { Load, Page } from './page.ts'
import type { Panel } from './panels.tsx'
import type { SearchGroup } from './search.ts'

/** What a feature shows on the web. */
export interface Screens {
  readonly pages?: readonly Page[]
  /** What it shows on the pages of other features' records. */
  readonly panels?: readonly Panel[]
  /** Its records in the search of the palette. */
  readonly search?: Load<readonly SearchGroup[]>
  /** Its dashboard parts and first steps, in one file: each file is a request. */
  readonly dashboard?: Load<ModuleDashboard>
  /** Its articles in the help. */
  readonly help?: Load<readonly Article[]>
  /** Beginnings of addresses whose answers are cached on the device for pages that are available offline. */
  readonly availableOffline?: readonly string[]
}

/** The manifest of a module on the web. */
export interface WebModule {
  readonly pages: readonly Page[]
  readonly panels: readonly Panel[]
  readonly search: readonly Load<readonly SearchGroup[]>[]
  readonly dashboard: readonly Load<ModuleDashboard>[]
  readonly help: readonly Load<readonly Article[]>[]
  readonly availableOffline: readonly string[]
}

export const screens = (s: Screens): Screens => s

/** Joins the screens of a module's features. */
export const moduleOf = (features: readonly Screens[]): WebModule => ({
  pages: features.flatMap((f) => f.pages ?? []),
  panels: features.flatMap((f) => f.panels ?? []),
  search: features.flatMap((f) => f.search ?? []),
  dashboard: features.flatMap((f) => f.dashboard ?? []),
  help: features.flatMap((f) => f.help ?? []),
  availableOffline: features.flatMap((f) => f.availableOffline ?? []),
})

export const ModulesContext = createContext<readonly WebModule[]>([])

/** Loads lists side by side, and joins them. */
export async function loadAll<T>(loads: readonly Load<readonly T[]>[]): Promise<readonly T[]> {
  const loaded = await Promise.all(loads.map((load) => load()))
  return loaded.flatMap(({ default: list }) => list)
}
