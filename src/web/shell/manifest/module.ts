import { createContext } from 'react'
import type { HelpArticleSource } from './article.ts'
import type { ModuleDashboard } from './dashboard.ts'
import type { LazyLoad, Page } from './page.ts'
import type { RecordPanel } from './panels.tsx'
import type { SearchGroup } from './search.ts'

/** Screens and other web contributions of a feature. */
export interface Screens {
  readonly pages?: readonly Page[]
  /** Panels on the pages of other features' records. */
  readonly panels?: readonly RecordPanel[]
  /** Groups of its records in the search of the palette. */
  readonly search?: LazyLoad<readonly SearchGroup[]>
  /** Dashboard parts and first steps, in one file: each file is a request. */
  readonly dashboard?: LazyLoad<ModuleDashboard>
  /** Help articles of the feature. */
  readonly help?: LazyLoad<readonly HelpArticleSource[]>
  /** Prefixes of addresses whose responses are cached on the device, for pages that are available offline. */
  readonly availableOffline?: readonly string[]
}

/** The web manifest of a module. */
export interface WebModule {
  readonly pages: readonly Page[]
  readonly panels: readonly RecordPanel[]
  readonly search: readonly LazyLoad<readonly SearchGroup[]>[]
  readonly dashboard: readonly LazyLoad<ModuleDashboard>[]
  readonly help: readonly LazyLoad<readonly HelpArticleSource[]>[]
  readonly availableOffline: readonly string[]
}

export const screens = (s: Screens): Screens => s

/** Builds the manifest of a module from the screens of its features. */
export const buildWebModule = (features: readonly Screens[]): WebModule => ({
  pages: features.flatMap((f) => f.pages ?? []),
  panels: features.flatMap((f) => f.panels ?? []),
  search: features.flatMap((f) => f.search ?? []),
  dashboard: features.flatMap((f) => f.dashboard ?? []),
  help: features.flatMap((f) => f.help ?? []),
  availableOffline: features.flatMap((f) => f.availableOffline ?? []),
})

export const ModulesContext = createContext<readonly WebModule[]>([])

/** Loads lists in parallel, and joins them. */
export async function loadModuleContributions<T>(loads: readonly LazyLoad<readonly T[]>[]): Promise<readonly T[]> {
  const loaded = await Promise.all(loads.map((load) => load()))
  return loaded.flatMap(({ default: list }) => list)
}
