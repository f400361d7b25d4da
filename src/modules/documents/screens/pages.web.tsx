import type { ComponentType } from 'react'
import { type LazyLoad, type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { formPaths } from '../forms/labels.ts'
import { DOCUMENT_ROLES } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import {
  buildDocumentTypeComponents,
  type DocumentScreenProps,
  type DocumentTypeComponents,
  type DocumentTypeScreens,
  type LazyDocumentType,
} from '../types/kind.web.ts'

const referenceInputs = (kind: DocumentKind): NonNullable<DocumentTypeScreens['custom']> =>
  Object.fromEntries(
    Object.keys(kind.references ?? {}).map((name) => [
      name,
      async () => ({
        default: (await import('../references/references-field.web.tsx')).createReferencesField(kind, name),
      }),
    ]),
  )

/** Returns the pages of a document type, such as list, create, edit and view. */
export function documentPages(info: LazyDocumentType, all: readonly LazyDocumentType[]): Page[] {
  let made: Promise<DocumentTypeComponents> | undefined
  const loadParts = () => {
    made ??= info.load().then((web) => buildDocumentTypeComponents(web.default, all, referenceInputs(web.default.kind)))
    made.catch(() => (made = undefined))
    return made
  }
  const { list, update } = info.screens
  const forms = formPaths(info)
  const { authors, approvers, readers } = DOCUMENT_ROLES[info.pack]
  const begin = update.replace(/\/update$/, '')
  const screen = (path: string, title: string, load: LazyLoad<ComponentType<DocumentScreenProps>>): Page => ({
    path,
    title,
    allow: authors,
    ...(info.nav.pack ? { pack: info.nav.pack } : {}),
    under: list,
    load: async () => {
      const [{ default: Screen }, parts] = await Promise.all([load(), loadParts()])
      return { default: () => <Screen parts={parts} /> }
    },
  })
  const form = (path: string, title: string, load: LazyLoad<ComponentType<DocumentScreenProps>>): Page => ({
    ...screen(path, title, load),
    writes: true,
  })
  return [
    {
      ...screen(list, info.nav.title, () => import('./list.web.tsx')),
      ...pageFromNavigation(info.nav),
    },
    {
      ...form(`${begin}/create`, `New ${info.noun}`, () => import('../editing/create.web.tsx')),
      begins: `New ${info.noun}`,
    },
    form(`${begin}/from-template/:slug`, `New ${info.noun}`, () => import('../editing/create.web.tsx')),
    form(`${begin}/copy/:slug`, `New ${info.noun}`, () => import('../editing/create.web.tsx')),
    { ...form(`${update}/:slug`, info.name, () => import('../editing/editor.web.tsx')), availableOffline: 'typed' },
    form(`${update}/:slug/check`, `Check the ${info.noun}`, () => import('../editing/check.web.tsx')),
    {
      ...screen(`${list}/view/:slug`, info.name, () => import('./view.web.tsx')),
      allow: readers,
      availableOffline: 'submitted',
    },
    {
      ...screen(forms.list, `Form for ${info.nav.title.toLowerCase()}`, () => import('../forms/versions.web.tsx')),
      allow: approvers,
    },
    {
      ...form(
        forms.change,
        `Edit form questions: ${info.nav.title.toLowerCase()}`,
        () => import('../forms/change-form.web.tsx'),
      ),
      allow: approvers,
    },
    {
      ...screen(forms.of(':slug'), 'Form version', () => import('../forms/version.web.tsx')),
      allow: approvers,
    },
    ...(info.moved ?? []).map(([path, redirect]): Page => ({ path, title: info.nav.title, redirect, allow: readers })),
  ]
}
