import { type ComponentType, createContext, useContext } from 'react'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Load, Page } from './page.ts'
import type { RoomWeb } from './room.ts'

interface PanelProps<R extends Resource> {
  readonly record: RecordOf<R>
}

/** What a room shows on the page of another noun's record: the quotes of a customer. */
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

const PanelsContext = createContext<readonly Loaded[]>([])

/** Loads a record's page together with the panels that the rooms have for it. */
export function withPanels(of: string, load: Load<ComponentType>): NonNullable<Page['load']> {
  return async (rooms: readonly RoomWeb[]) => {
    const panels = rooms
      .flatMap((room) => room.panels ?? [])
      .filter((p) => p.of === of)
      .sort((a, b) => a.order - b.order)
    const [{ default: Screen }, ...loaded] = await Promise.all([load(), ...panels.map((p) => p.load())])
    const bodies = panels.map(({ order }, n) => ({ order, Body: (loaded[n] as (typeof loaded)[number]).default }))
    return {
      default: () => (
        <PanelsContext value={bodies}>
          <Screen />
        </PanelsContext>
      ),
    }
  }
}

/** Draws the panels of a page that was loaded `withPanels`. */
export const Panels = <R extends Resource>({ record }: PanelProps<R>) =>
  useContext(PanelsContext).map(({ order, Body }) => <Body key={order} record={record} />)
