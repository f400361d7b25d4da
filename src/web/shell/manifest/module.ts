import { type ComponentType, createContext } from 'react'
import type { HelpArticleSource } from './article.ts'
import type { ModuleDashboard } from './dashboard.ts'
import type { LazyLoad, Page } from './page.ts'
import type { RecordPanel } from './panels.tsx'
import type { SearchGroup } from './search.ts'

/** Properties of a dialog that a new notification opens. */
export interface NoticeDialogProps {
  /** Text of the notification. */
  readonly words: string
  /** IRI of the record that the notification is about. */
  readonly about: string
  readonly onClose: () => void
}

/** A dialog that opens on any page as soon as a notification of this type arrives. */
interface NoticeDialog {
  readonly kind: string
  readonly load: LazyLoad<ComponentType<NoticeDialogProps>>
}

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
  readonly noticeDialogs?: readonly NoticeDialog[]
  /** Prefixes of the URLs whose responses are cached on the device, for pages that are available offline. */
  readonly availableOffline?: readonly string[]
}

export interface WebModule {
  readonly pages: readonly Page[]
  readonly panels: readonly RecordPanel[]
  readonly search: readonly LazyLoad<readonly SearchGroup[]>[]
  readonly dashboard: readonly LazyLoad<ModuleDashboard>[]
  readonly help: readonly LazyLoad<readonly HelpArticleSource[]>[]
  readonly noticeDialogs: readonly NoticeDialog[]
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
  noticeDialogs: features.flatMap((f) => f.noticeDialogs ?? []),
  availableOffline: features.flatMap((f) => f.availableOffline ?? []),
})

export const ModulesContext = createContext<readonly WebModule[]>([])

/** Loads lists in parallel, and concatenates them. */
export async function loadModuleContributions<T>(loads: readonly LazyLoad<readonly T[]>[]): Promise<readonly T[]> {
  const loaded = await Promise.all(loads.map((load) => load()))
  return loaded.flatMap(({ default: list }) => list)
}
