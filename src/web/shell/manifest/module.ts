import { createContext } from 'react'
import type { HelpArticleSource } from './article.ts'
import type { ModuleDashboard } from './dashboard.ts'
import type { LazyLoad, Page } from './page.ts'
import type { RecordPanel } from './panels.tsx'
import type { SearchGroup } from './search.ts'

/** A feature's screens and other contributions to the web app. */
export interface Screens {
  readonly pages?: readonly Page[]
  /** Panels that the feature adds to the pages of other features' records. */
  readonly panels?: readonly RecordPanel[]
  /** Groups of the feature's records that the command palette searches. */
  readonly search?: LazyLoad<readonly SearchGroup[]>
  /** Dashboard sections and getting-started steps, in one file because each file costs a request. */
  readonly dashboard?: LazyLoad<ModuleDashboard>
  readonly help?: LazyLoad<readonly HelpArticleSource[]>
  /** Prefixes of the URLs whose responses are cached on the device, for pages that are available offline. */
  readonly availableOffline?: readonly string[]
}

export interface WebModule {
  readonly pages: readonly Page[]
  readonly panels: readonly RecordPanel[]
  readonly search: readonly LazyLoad<readonly SearchGroup[]>[]
  readonly dashboard: readonly LazyLoad<ModuleDashboard>[]
  readonly help: readonly LazyLoad<readonly HelpArticleSource[]>[]
  readonly availableOffline: readonly string[]
}

export const screens = (s: Screens): Screens => s

/** Builds a module's manifest from the screens of its features. */
export const buildWebModule = (features: readonly Screens[]): WebModule => ({
  pages: features.flatMap((f) => f.pages ?? []),
  panels: features.flatMap((f) => f.panels ?? []),
  search: features.flatMap((f) => f.search ?? []),
  dashboard: features.flatMap((f) => f.dashboard ?? []),
  help: features.flatMap((f) => f.help ?? []),
  availableOffline: features.flatMap((f) => f.availableOffline ?? []),
})

export const ModulesContext = createContext<readonly WebModule[]>([])

/** Loads lists in parallel, and concatenates them. */
export async function loadModuleContributions<T>(loads: readonly LazyLoad<readonly T[]>[]): Promise<readonly T[]> {
  const loaded = await Promise.all(loads.map((load) => load()))
  return loaded.flatMap(({ default: list }) => list)
}
