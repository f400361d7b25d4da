import type { ComponentType } from 'react'
import type { Iri } from '#kernel/fields.ts'
import { lastIriSegment, parseId } from '#kernel/iri.ts'
import { type NavigationEntry, type PackChoice, packState } from '#kernel/packs.ts'
import { type Actor, hasRole, type Roles } from '#kernel/roles.ts'
import type { WebModule } from './module.ts'

export type LayoutName = 'default' | 'blank' | 'login' | 'login-without-logo' | 'maintenance' | 'reseller' | 'test'

export type PageParams = Readonly<Record<string, string | undefined>>

/** Function that loads a chunk. Resolves to a module whose default export is a `T`. */
export type LazyLoad<T> = () => Promise<{ default: T }>

/** Row of the route table. */
export interface Page {
  /** Path of the page: `/crm/contact/view/:id` */
  readonly path: string
  readonly title: string
  readonly layout?: LayoutName
  /** Names of additional checks, run after the authentication, navigation and maintenance checks. */
  readonly checks?: readonly string[]
  /** Whether the page can be opened without signing in. The three standard checks are then skipped. */
  readonly open?: boolean
  /** Roles that may see and open the page. By default, any signed-in user may. */
  readonly allow?: Roles
  /**
   * Pack that the page belongs to. For clients without the pack, the page is hidden and blocked. If the pack has
   * lapsed, the page is read-only.
   */
  readonly pack?: PackChoice
  /** Whether the page only creates or changes records. The page is then blocked if its pack has lapsed. */
  readonly writes?: true
  /** Label in the palette, if opening the page without a record creates something: "New quote". */
  readonly begins?: string
  /** Checks the path parameters. If it returns false, the user gets a 404 page. */
  readonly valid?: (params: PageParams) => boolean
  /**
   * Loads the screen as a chunk, and passes the modules to it so that they can contribute. The chunk's default export
   * is the component.
   */
  readonly load?: (modules: readonly WebModule[]) => Promise<{ default: ComponentType }>
  /**
   * URLs of the screen's API requests, so that the browser can send the requests before the script has loaded. `:id` is
   * replaced as in `path`. A URL that begins with `?` is only requested if the page's own URL has no query. A URL that
   * the screen doesn't use wastes a request.
   */
  readonly asks?: readonly string[]
  /**
   * Set if the page's responses are cached on the device for offline use, to what the device stores without a
   * connection: whatever is typed into the page's fields, or only what the user signs and submits. Only URLs listed in
   * `Screens.availableOffline` are cached.
   */
  readonly availableOffline?: 'typed' | 'submitted'
  readonly nav?: NavigationEntry
  /** Path of the screen to mark in the navigation rail, if the page's URL alone doesn't show it: `/crm/customers`. */
  readonly under?: string
  /** API path of the records that the page shows, one for each ID in its path, so that logs can link to them. */
  readonly recordsAt?: Iri
  /** Path to redirect to. `:name` segments are filled in from the path parameters. */
  readonly redirect?: string
}

/** Returns true if the URL contains the ID of a record. */
export const hasRecordId = ({ id }: PageParams): boolean => parseId(id) !== undefined

/** Returns true if the URL contains the ID of a record, or no ID, for a new record. */
export const hasRecordIdOrNone = ({ id }: PageParams): boolean => id === undefined || parseId(id) !== undefined

/** Returns the page of a navigation entry: `{ ...pageFromNavigation(navigation.leads), load }`. */
export const pageFromNavigation = (nav: NavigationEntry): Pick<Page, 'path' | 'title' | 'allow' | 'pack' | 'nav'> => ({
  path: nav.path,
  title: nav.title,
  allow: nav.allow,
  ...(nav.pack && !nav.advert ? { pack: nav.pack } : {}),
  nav,
})

/** Returns the path of the page that shows a record; `undefined` if there is no such page for this user. */
export function recordPagePath(pages: readonly Page[], actor: Actor, iri: Iri): string | undefined {
  const id = lastIriSegment(iri)
  const page = pages.find(({ recordsAt }) => recordsAt && iri === `${recordsAt}/${id}`)
  return page && hasRole(actor, page.allow ?? 'member') && packState(actor, page.pack) !== 'none'
    ? page.path.replace(/:\w+\??/, id)
    : undefined
}
