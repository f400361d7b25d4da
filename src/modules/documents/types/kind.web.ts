import type { ComponentType, FunctionComponent } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import type { ColumnSpec } from '#web/lists/columns/columns.tsx'
import type { FilterSpec } from '#web/lists/filters.ts'
import { moduleOf, type Screens, type WebModule } from '#web/shell/manifest/module.ts'
import { lazily } from '#web/ui/lazily.tsx'
import type { Checked } from './checked.ts'
import type { Compared } from './compared.ts'
import type { DocumentKind } from './kind.ts'
import type { DocumentRecord } from './record.web.ts'
import type { ToSignList } from './to-sign.ts'
import type { DocumentTypeInfo } from './type-info.ts'

/** What shows a record's content: on the sheet of paper beside the form, and where the document is read. */
export interface BodyProps {
  readonly record: Values
  /** What fields are called where the record's form says otherwise than the kind; by name. */
  readonly labels?: Readonly<Record<string, string>>
}

type Load<P> = () => Promise<{ default: FunctionComponent<P> }>

/** A kind of document with its screens' own parts: all that a module says to get a list, an editor and a page to read it on. */
export interface DocumentKindWeb {
  readonly kind: DocumentKind
  /** By field name: what the form's `custom` fields are filled in with. */
  readonly custom?: Readonly<Record<string, Load<CustomFieldProps>>>
  /** Shows the whole content; without it, the form's fields are listed with their values. */
  readonly body?: Load<BodyProps>
  /** What the comparison of two revisions can't know from the form. */
  readonly compare?: Compared
  /** What is looked at once more before a record is completed. */
  readonly check?: (record: Values) => Checked
  /** What its list is narrowed by beside what every kind's is; told what stands in the address. */
  readonly filters?: (chosen: Readonly<Record<'risk' | 'site', string>>) => readonly FilterSpec[]
  /** What its list shows beside what every kind's does: fields that lists have (`listed`). */
  readonly columns?: readonly ColumnSpec<DocumentRecord>[]
  /** What this kind calls a step of the lifecycle: a toolbox talk is accepted and replaced. */
  readonly words?: {
    readonly approve?: string
    readonly revise?: string
    /** What is said of what is in force and nobody has signed. */
    readonly unsigned?: string
    /** What whoever reviews one is asked. */
    readonly review?: string
  }
  /** What is said when there is none at an address, before going back to the list. */
  readonly missing?: (slug: string) => string
  /** More to do with a document, beside its next step; and more to know, beside its content. */
  readonly buttons?: Load<BodyProps>
  readonly beside?: Load<BodyProps>
}

/** The same with components to draw: made once for each kind, as a component made twice forgets what is typed in it. */
export interface KindParts extends DocumentKindWeb {
  readonly inputs: Readonly<Record<string, ComponentType<CustomFieldProps>>>
  readonly Body: ComponentType<BodyProps> | undefined
  readonly Buttons: ComponentType<BodyProps> | undefined
  readonly Beside: ComponentType<BodyProps> | undefined
  /** Every kind that there is: the way from one document to another, whatever it is. */
  readonly all: readonly LazyKind[]
}

/** A kind of document whose form and screens come when one of its pages is opened. */
export interface LazyKind extends DocumentTypeInfo {
  readonly load: () => Promise<{ default: DocumentKindWeb }>
  /** What somebody must sign of this kind beside its papers. */
  readonly toSign?: ToSignList
}

/** The screens of a feature that may have document types. */
interface ScreensWithTypes extends Screens {
  readonly documentTypes?: readonly LazyKind[]
}

/** A module on the web that has document types. */
export interface WebModuleWithTypes extends WebModule {
  readonly documentTypes: readonly LazyKind[]
}

/** Joins the screens of a module that has document types. */
export const moduleWithTypesOf = (features: readonly ScreensWithTypes[]): WebModuleWithTypes => ({
  ...moduleOf(features),
  documentTypes: features.flatMap((f) => f.documentTypes ?? []),
})

/** What each of the screens is given: which kind it is for. */
export interface ScreenProps {
  readonly parts: KindParts
}

/** `usual`: inputs that every kind has, by the name of its field, where it says no other. */
export const partsOf = (
  web: DocumentKindWeb,
  all: readonly LazyKind[],
  usual: DocumentKindWeb['custom'] = {},
): KindParts => ({
  ...web,
  all,
  inputs: Object.fromEntries(Object.entries({ ...usual, ...web.custom }).map(([name, load]) => [name, lazily(load)])),
  Body: web.body && lazily(web.body),
  Buttons: web.buttons && lazily(web.buttons),
  Beside: web.beside && lazily(web.beside),
})
