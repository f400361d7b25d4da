import type { Navigation } from '#kernel/packs.ts'
import { DOCUMENT_READERS } from '../rights.ts'

/** Data of a document type for routes and navigation, loaded before anything else of it. */
export interface DocumentTypeInfo {
  /** Stored name: `risk_assessment`. */
  readonly kind: string
  /** Name: "Risk assessment"; in sentences: "risk assessment". */
  readonly name: string
  readonly noun: string
  /** Plural; with an s by default. */
  readonly nouns: string
  /** Paths of the list and the editor. */
  readonly screens: { readonly list: string; readonly update: string }
  /** Navigation entry of the list, with the plural as its title: "Risk assessments". */
  readonly nav: Navigation
  /** Sources to start one from, by name: the source's type and the label of the action there. */
  readonly from?: Readonly<Record<string, { readonly kind: string; readonly action: string }>>
  /** Redirects from former paths: `[former, current]`. */
  readonly moved?: readonly (readonly [string, string])[]
}

interface TypeInfoSpec extends Omit<DocumentTypeInfo, 'nav' | 'nouns'>, Partial<Pick<DocumentTypeInfo, 'nouns'>> {
  readonly nav: Pick<Navigation, 'title' | 'icon' | 'order'>
}

/** Declares the info of a document type, in a file of its own: importers load nothing of the form. */
export const documentTypeInfo = (spec: TypeInfoSpec): DocumentTypeInfo => ({
  nouns: `${spec.noun}s`,
  ...spec,
  nav: { ...spec.nav, path: spec.screens.list, area: 'Safety', allow: DOCUMENT_READERS, pack: 'safety' },
})
