import { type ComponentType, createContext, use, useContext } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { WebModule } from './module.ts'
import type { LazyLoad, Page } from './page.ts'

interface PanelProps<R extends Resource> {
  readonly record: RecordOf<R>
}

/** Panel that a module shows on the page of another module's record, such as a customer's quotes. */
export interface RecordPanel<R extends Resource = Resource> {
  /** `@type` of the record. */
  readonly of: string
  /** Position from the top among the page's panels. */
  readonly order: number
  readonly load: LazyLoad<ComponentType<PanelProps<R>>>
}

/**
 * Checks at compile time that the panel suits the type of its record, and widens the type so that all panels fit into
 * one list.
 */
export const recordPanel = <R extends Resource>(panel: RecordPanel<R>): RecordPanel => panel as unknown as RecordPanel

interface Loaded {
  readonly order: number
  readonly Body: ComponentType<PanelProps<Resource>>
}

const PanelsContext = createContext<() => readonly Loaded[] | Promise<readonly Loaded[]>>(() => [])

const panelsOf = (of: string, modules: readonly WebModule[]) =>
  modules
    .flatMap((module) => module.panels)
    .filter((p) => p.of === of)
    .sort((a, b) => a.order - b.order)

const loadPanels = (panels: readonly RecordPanel[]): Promise<readonly Loaded[]> =>
  Promise.all(panels.map(async ({ order, load }) => ({ order, Body: (await load()).default })))

/** Loads a record's page together with the panels that modules add to the page. */
export function withRecordPanels(of: string, load: LazyLoad<ComponentType>): NonNullable<Page['load']> {
  return async (modules: readonly WebModule[]) => {
    const [{ default: Screen }, panels] = await Promise.all([load(), loadPanels(panelsOf(of, modules))])
    const known = () => panels
    return {
      default: () => (
        <PanelsContext value={known}>
          <Screen />
        </PanelsContext>
      ),
    }
  }
}

/** Loads a record's page and, in parallel, its panels. The panels may appear later, inside a `Suspense`. */
export function withLazyRecordPanels(of: string, load: LazyLoad<ComponentType>): NonNullable<Page['load']> {
  return async (modules: readonly WebModule[]) => {
    const { default: Screen } = await load()
    let coming: Promise<readonly Loaded[]> | undefined
    const panels = () => {
      coming ??= loadPanels(panelsOf(of, modules))
      return coming
    }
    return {
      default: () => {
        void panels()
        return (
          <PanelsContext value={panels}>
            <Screen />
          </PanelsContext>
        )
      },
    }
  }
}

/** Panels that were loaded with a page. */
export function RecordPanels<R extends Resource>({ record }: PanelProps<R>) {
  const panels = useContext(PanelsContext)()
  return (panels instanceof Promise ? use(panels) : panels).map(({ order, Body }) => (
    <Body key={order} record={record} />
  ))
}
