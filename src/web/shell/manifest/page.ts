import type { ComponentType } from 'react'
import { readId } from '#kernel/iri.ts'
import type { Navigation } from '#kernel/navigation.ts'
import type { Pack } from '#kernel/packs.ts'
import type { Roles } from '#kernel/roles.ts'
import type { WebModule } from './module.ts'

export type LayoutName = 'default' | 'blank' | 'login' | 'login-without-logo' | 'maintenance' | 'reseller' | 'test'

export type PageParams = Readonly<Record<string, string | undefined>>

/** What comes in a chunk of its own, as the default export of its file. */
export type Load<T> = () => Promise<{ default: T }>

/** One line of the route table. */
export interface Page {
  /** `/crm/contact/view/:id` */
  readonly path: string
  readonly title: string
  readonly layout?: LayoutName
  /** Further checks by name, after authentication, navigation and maintenance. */
  readonly checks?: readonly string[]
  /** Needs no sign-in; the three standard checks are left out. */
  readonly open?: boolean
  /** Shown and allowed to these; to anybody signed in unless given. */
  readonly allow?: Roles
  /** The pack that it belongs to: left out of the navigation and closed for clients without it, for reading only once it has lapsed. */
  readonly pack?: Pack
  /** For nothing but making or changing something: closed as well once its pack has lapsed. */
  readonly writes?: true
  /** Opened without a record, it begins something; the palette calls that so: "New quote". */
  readonly begins?: string
  /** False gives a 404. */
  readonly valid?: (params: PageParams) => boolean
  /** The screen, in a chunk of its own, with what the modules bring for it. Its default export is the component. */
  readonly load?: (modules: readonly WebModule[]) => Promise<{ default: ComponentType }>
  /**
   * What the screen asks the API as soon as it is opened, so that the browser can ask before the screen's script has come. `:id` is as in
   * `path`; what begins with `?` is asked only where the address has no query. An address that the screen doesn't ask costs a request.
   */
  readonly asks?: readonly string[]
  /** What it reads is cached on the device, as far as its address may be (`Screens.availableOffline`), for when there is no connection. */
  readonly availableOffline?: true
  readonly nav?: Navigation
  /** The screen of the rail that it stands under, where the address alone doesn't say so: `/crm/customers`. */
  readonly under?: string
  /** The address has moved: `:name` parts are filled in. */
  readonly redirect?: string
}

/** Does the address name a record, by its id? */
export const isRecord = ({ id }: PageParams): boolean => readId(id) !== undefined

/** The same, or none: a new one. */
export const isRecordOrNew = ({ id }: PageParams): boolean => id === undefined || readId(id) !== undefined

/** The page of a screen in the navigation: `{ ...pageAt(navigation.leads), load }`. */
export const pageAt = (nav: Navigation): Pick<Page, 'path' | 'title' | 'allow' | 'pack' | 'nav'> => ({
  path: nav.path,
  title: nav.title,
  allow: nav.allow,
  ...(nav.pack ? { pack: nav.pack } : {}),
  nav,
})
