import { type ComponentType, createContext, use, useContext } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { WebModule } from './module.ts'
import type { Load, Page } from './page.ts'

interface PanelProps<R extends Resource> {
  readonly record: RecordOf<R>
}

/** What a module shows on the page of another noun's record: the quotes of a customer. */
export interface Panel<R extends Resource = Resource> {
  /** The record's `@type`. */
  readonly of: string
  /** Its place among the panels of the page, from the top. */
  readonly order: number
  readonly load: Load<ComponentType<PanelProps<R>>>
}

/** Keeps the record's own type while it is declared, and forgets it for the list of them all. */
export const panel = <R extends Resource>(panel: Panel<R>): Panel => panel as unknown as Panel

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

const loadPanels = (panels: readonly Panel[]): Promise<readonly Loaded[]> =>
  Promise.all(panels.map(async ({ order, load }) => ({ order, Body: (await load()).default })))

/** Loads a record's page together with the panels that the modules have for it. */
export function withPanels(of: string, load: Load<ComponentType>): NonNullable<Page['load']> {
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

/** The same where the panels are in a part of the page that comes later, inside a `Suspense`: they are loaded beside what comes first. */
export function withLaterPanels(of: string, load: Load<ComponentType>): NonNullable<Page['load']> {
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

/** Draws the panels of a page that was loaded with them. */
export function Panels<R extends Resource>({ record }: PanelProps<R>) {
  const panels = useContext(PanelsContext)()
  return (panels instanceof Promise ? use(panels) : panels).map(({ order, Body }) => (
    <Body key={order} record={record} />
  ))
}
