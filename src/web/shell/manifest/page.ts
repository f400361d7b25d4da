import type { ComponentType } from 'react'
import { readId } from '#kernel/iri.ts'
import type { Navigation, Pack } from '#kernel/packs.ts'
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
  /** Further checks by name, after authentication, navigation and maintenance. */
  readonly checks?: readonly string[]
  /** Needs no sign-in; the three standard checks are skipped. */
  readonly open?: boolean
  /** Roles that may see and open it; any signed-in user by default. */
  readonly allow?: Roles
  /** Pack that it belongs to: hidden and blocked for clients without it, read-only if it has lapsed. */
  readonly pack?: Pack
  /** Only for creating or changing records: blocked if its pack has lapsed. */
  readonly writes?: true
  /** Label in the palette if the page creates something when opened without a record: "New quote". */
  readonly begins?: string
  /** Returns false for a 404. */
  readonly valid?: (params: PageParams) => boolean
  /** Loads the screen as a chunk, with the modules' contributions to it. Its default export is the component. */
  readonly load?: (modules: readonly WebModule[]) => Promise<{ default: ComponentType }>
  /**
   * API requests of the screen, so that the browser can send them before the script has loaded. `:id` is as in `path`;
   * one that begins with `?` is only sent if the address has no query. An address that the screen doesn't use wastes a
   * request.
   */
  readonly asks?: readonly string[]
  /** What it reads is cached on the device, as far as its address may be (`Screens.availableOffline`), for when there is no connection. */
  readonly availableOffline?: true
  readonly nav?: Navigation
  /** Screen that is marked in the rail, if the address alone doesn't show it: `/crm/customers`. */
  readonly under?: string
  /** Redirects to the new address; `:name` parts are filled in. */
  readonly redirect?: string
}

/** Does the address name a record, by its id? */
export const isRecord = ({ id }: PageParams): boolean => readId(id) !== undefined

/** The same, or none: a new one. */
export const isRecordOrNew = ({ id }: PageParams): boolean => id === undefined || readId(id) !== undefined

/** Returns the page of a screen in the navigation: `{ ...pageAt(navigation.leads), load }`. */
export const pageAt = (nav: Navigation): Pick<Page, 'path' | 'title' | 'allow' | 'pack' | 'nav'> => ({
  path: nav.path,
  title: nav.title,
  allow: nav.allow,
  ...(nav.pack ? { pack: nav.pack } : {}),
  nav,
})
