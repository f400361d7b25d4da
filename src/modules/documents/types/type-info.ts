import type { Navigation } from '#kernel/navigation.ts'
import { READERS } from '../rights.ts'

/** What the routes and the navigation know of a kind of document before anything else of it is loaded. */
export interface DocumentTypeInfo {
  /** In the table: `risk_assessment`. */
  readonly kind: string
  /** What one of them is called: "Risk assessment"; in sentences: "risk assessment". */
  readonly name: string
  readonly noun: string
  /** Several of them; with an s, unless said. */
  readonly nouns: string
  /** Screens: the list, and where one is written. */
  readonly screens: { readonly list: string; readonly update: string }
  /** The list in the navigation, its title what many of them are called: "Risk assessments". */
  readonly nav: Navigation
  /** What one can be begun from, by the name of the source: of which kind that is, and what doing it is called there. */
  readonly from?: Readonly<Record<string, { readonly kind: string; readonly action: string }>>
  /** Routes that once led to these screens: `[former, today's]`. */
  readonly moved?: readonly (readonly [string, string])[]
}

interface TypeInfoSpec extends Omit<DocumentTypeInfo, 'nav' | 'nouns'>, Partial<Pick<DocumentTypeInfo, 'nouns'>> {
  readonly nav: Pick<Navigation, 'title' | 'icon' | 'order'>
}

/** Declares the info of a document type, in a file of its own: importers load nothing of the form. */
export const documentTypeInfo = (spec: TypeInfoSpec): DocumentTypeInfo => ({
  nouns: `${spec.noun}s`,
  ...spec,
  nav: { ...spec.nav, path: spec.screens.list, area: 'Safety', allow: READERS, pack: 'safety' },
})
