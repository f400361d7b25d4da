import type { ComponentType, FunctionComponent } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import type { ColumnSpec } from '#web/lists/columns/columns.tsx'
import type { FilterSpec } from '#web/lists/filters.ts'
import { buildWebModule, type Screens, type WebModule } from '#web/shell/manifest/module.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import type { ComparisonRules } from './comparison-rules.ts'
import type { TypeCompletionCheck } from './completion-check.ts'
import type { DocumentKind } from './kind.ts'
import type { DocumentRecord } from './record.web.ts'
import type { ItemsToSignList } from './to-sign.ts'
import type { DocumentTypeInfo } from './type-info.ts'

/** Props of a component that shows a record's content, in the preview and on its page. */
export interface DocumentBodyProps {
  readonly record: Values
  /** Labels in the record's form that differ from the declared labels, by field name. */
  readonly labels?: Readonly<Record<string, string>>
}

type Load<P> = () => Promise<{ default: FunctionComponent<P> }>

/**
 * A document type with its screen components: everything that a module provides for the type's list, editor and page.
 */
export interface DocumentTypeScreens {
  readonly kind: DocumentKind
  /** Inputs of the form's `custom` fields, by name. */
  readonly custom?: Readonly<Record<string, Load<CustomFieldProps>>>
  /** Component that shows the whole content; by default, the form's completed fields are shown. */
  readonly body?: Load<DocumentBodyProps>
  /** Comparison rules that the form does not cover. */
  readonly compare?: ComparisonRules
  /** Additional checks before completion. */
  readonly check?: (record: Values) => TypeCompletionCheck
  /** Returns additional list filters for the URL parameters. */
  readonly filters?: (chosen: Readonly<Record<'risk' | 'site', string>>) => readonly FilterSpec[]
  /** Additional list columns, for fields in `listed`. */
  readonly columns?: readonly ColumnSpec<DocumentRecord>[]
  /** This type's own words for lifecycle steps; for example, a toolbox talk is accepted and replaced. */
  readonly words?: {
    readonly approve?: string
    readonly revise?: string
    /** Text for a document in force that nobody has signed. */
    readonly unsigned?: string
    readonly review?: string
  }
  /** Returns the message shown before the redirect to the list, if no document exists at the URL. */
  readonly missing?: (slug: string) => string
  /** Additional actions beside the next step, and information beside the content. */
  readonly buttons?: Load<DocumentBodyProps>
  readonly beside?: Load<DocumentBodyProps>
}

/**
 * A document type with its loaded components. Created once per type, because recreated components would lose their
 * input.
 */
export interface DocumentTypeComponents extends DocumentTypeScreens {
  readonly inputs: Readonly<Record<string, ComponentType<CustomFieldProps>>>
  readonly Body: ComponentType<DocumentBodyProps> | undefined
  readonly Buttons: ComponentType<DocumentBodyProps> | undefined
  readonly Beside: ComponentType<DocumentBodyProps> | undefined
  /** All document types, for links between documents. */
  readonly all: readonly LazyDocumentType[]
}

/** A document type whose form and screens are loaded when its first page opens. */
export interface LazyDocumentType extends DocumentTypeInfo {
  readonly load: () => Promise<{ default: DocumentTypeScreens }>
  /** Other items of this type that a person must sign. */
  readonly toSign?: ItemsToSignList
}

interface ScreensWithTypes extends Screens {
  readonly documentTypes?: readonly LazyDocumentType[]
}

export interface WebModuleWithDocumentTypes extends WebModule {
  readonly documentTypes: readonly LazyDocumentType[]
}

/** Combines the screens of features into a web module that has document types. */
export const buildWebModuleWithDocumentTypes = (features: readonly ScreensWithTypes[]): WebModuleWithDocumentTypes => ({
  ...buildWebModule(features),
  documentTypes: features.flatMap((f) => f.documentTypes ?? []),
})

export interface DocumentScreenProps {
  readonly parts: DocumentTypeComponents
}

/** Loads a type's components. `usual` contains default inputs by field name. */
export const buildDocumentTypeComponents = (
  web: DocumentTypeScreens,
  all: readonly LazyDocumentType[],
  usual: DocumentTypeScreens['custom'] = {},
): DocumentTypeComponents => ({
  ...web,
  all,
  inputs: Object.fromEntries(
    Object.entries({ ...usual, ...web.custom }).map(([name, load]) => [name, lazyComponent(load)]),
  ),
  Body: web.body && lazyComponent(web.body),
  Buttons: web.buttons && lazyComponent(web.buttons),
  Beside: web.beside && lazyComponent(web.beside),
})
