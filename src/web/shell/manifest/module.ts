import { createContext } from 'react'
import type { HelpArticleSource } from './article.ts'
import type { ModuleDashboard } from './dashboard.ts'
import type { LazyLoad, Page } from './page.ts'
import type { RecordPanel } from './panels.tsx'
import type { SearchGroup } from './search.ts'

/** What a feature shows on the web. */
export interface Screens {
  readonly pages?: readonly Page[]
  /** What it shows on the pages of other features' records. */
  readonly panels?: readonly RecordPanel[]
  /** Its records in the search of the palette. */
  readonly search?: LazyLoad<readonly SearchGroup[]>
  /** Its dashboard parts and first steps, in one file: each file is a request. */
  readonly dashboard?: LazyLoad<ModuleDashboard>
  /** Its articles in the help. */
  readonly help?: LazyLoad<readonly HelpArticleSource[]>
  /** Beginnings of addresses whose answers are cached on the device for pages that are available offline. */
  readonly availableOffline?: readonly string[]
}

/** The manifest of a module on the web. */
export interface WebModule {
  readonly pages: readonly Page[]
  readonly panels: readonly RecordPanel[]
  readonly search: readonly LazyLoad<readonly SearchGroup[]>[]
  readonly dashboard: readonly LazyLoad<ModuleDashboard>[]
  readonly help: readonly LazyLoad<readonly HelpArticleSource[]>[]
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
export async function loadContributions<T>(loads: readonly LazyLoad<readonly T[]>[]): Promise<readonly T[]> {
  const loaded = await Promise.all(loads.map((load) => load()))
  return loaded.flatMap(({ default: list }) => list)
}
