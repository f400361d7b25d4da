import type { ComponentType } from 'react'
import { parseId } from '#kernel/iri.ts'
import type { NavigationEntry, Pack } from '#kernel/packs.ts'
import type { Roles } from '#kernel/roles.ts'
import type { WebModule } from './module.ts'

export type LayoutName = 'default' | 'blank' | 'login' | 'login-without-logo' | 'maintenance' | 'reseller' | 'test'

export type PageParams = Readonly<Record<string, string | undefined>>

/** A lazy chunk: the default export of its file. */
export type LazyLoad<T> = () => Promise<{ default: T }>

/** A row of the route table. */
export interface Page {
  /** `/crm/contact/view/:id` */
  readonly path: string
  readonly title: string
  readonly layout?: LayoutName
  /** Names of additional checks, after authentication, navigation and maintenance. */
  readonly checks?: readonly string[]
  /** Whether the page needs no sign-in; the three standard checks are then skipped. */
  readonly open?: boolean
  /** Roles that may see and open the page; any signed-in user by default. */
  readonly allow?: Roles
  /** Pack that the page belongs to: hidden and blocked for clients without it, read-only if it has lapsed. */
  readonly pack?: Pack
  /** Whether the page only creates or changes records: it is then blocked if its pack has lapsed. */
  readonly writes?: true
  /** Label in the palette if the page creates something when opened without a record: "New quote". */
  readonly begins?: string
  /** Checks the parameters; false leads to a 404. */
  readonly valid?: (params: PageParams) => boolean
  /** Loads the screen as a chunk, with the modules' contributions to it. Its default export is the component. */
  readonly load?: (modules: readonly WebModule[]) => Promise<{ default: ComponentType }>
  /**
   * API requests of the screen, so that the browser can send them before the script has loaded. `:id` is as in `path`;
   * an address that begins with `?` is only requested if the page's address has no query. An address that the screen
   * doesn't use wastes a request.
   */
  readonly asks?: readonly string[]
  /**
   * Caches the page's responses on the device for use offline, if their addresses are listed in
   * `Screens.availableOffline`.
   */
  readonly availableOffline?: true
  readonly nav?: NavigationEntry
  /** Path of the screen to mark in the rail, if the address alone doesn't show it: `/crm/customers`. */
  readonly under?: string
  /** Redirects to the new address; `:name` parts are filled in. */
  readonly redirect?: string
}

/** Whether the address contains the id of a record. */
export const hasRecordId = ({ id }: PageParams): boolean => parseId(id) !== undefined

/** Whether the address contains the id of a record, or none for a new one. */
export const hasRecordIdOrNone = ({ id }: PageParams): boolean => id === undefined || parseId(id) !== undefined

/** Returns the page of a navigation entry: `{ ...pageAt(navigation.leads), load }`. */
export const pageFromNavigation = (nav: NavigationEntry): Pick<Page, 'path' | 'title' | 'allow' | 'pack' | 'nav'> => ({
  path: nav.path,
  title: nav.title,
  allow: nav.allow,
  ...(nav.pack ? { pack: nav.pack } : {}),
  nav,
})
