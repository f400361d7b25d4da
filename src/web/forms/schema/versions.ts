import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue, pickValues } from '#kernel/forms/visible.ts'
import type { FormDraft } from '../../offline/drafts.ts'

/** Field that has been changed in two different ways by two people, or in two tabs. */
export interface FieldConflict {
  readonly name: string
  readonly mine: unknown
  readonly theirs: unknown
}

/** Versions of a record while its form is open. */
export interface EditedRecordVersions {
  /** Values that the server last sent. */
  readonly server: Values
  /** Values that the form shows when nothing is unsaved. */
  readonly clean: Values
  readonly etag: string | null
  /** Values that the server has rejected. They are not sent again until they have been changed. */
  readonly refused: Values
}

export const unsavedFieldNames = (names: readonly string[], { clean }: EditedRecordVersions, typed: Values): string[] =>
  names.filter((n) => !isSameValue(typed[n], clean[n]))

/** Returns the names of unsaved fields, except those with rejected values. */
export const sendableFieldNames = (names: readonly string[], versions: EditedRecordVersions, typed: Values): string[] =>
  unsavedFieldNames(names, versions, typed).filter(
    (n) => !(n in versions.refused) || !isSameValue(versions.refused[n], typed[n]),
  )

export const createUnsavedDraft = (
  names: readonly string[],
  versions: EditedRecordVersions,
  typed: Values,
  at: number,
): FormDraft =>
  Object.fromEntries(
    unsavedFieldNames(names, versions, typed).map((n) => [n, { value: typed[n], base: versions.server[n], at }]),
  )

/**
 * Returns the versions after a save. The server may have normalised the values, but the form continues to show them as
 * typed.
 */
export const applySavedValues = (
  versions: EditedRecordVersions,
  sent: Values,
  saved: Values,
): EditedRecordVersions => ({
  ...versions,
  server: { ...versions.server, ...pickValues({ ...sent, ...saved }, Object.keys(sent)) },
  clean: { ...versions.clean, ...sent },
})

interface Merge {
  readonly versions: EditedRecordVersions
  /** Values to show in the form. */
  readonly replace: Values
  readonly conflicts: readonly FieldConflict[]
}

/**
 * Merges another version of the record, field by field. A field changed only in the other version is adopted. A field
 * changed only in this form remains unsaved. A field changed in both is a conflict. `shrinking` names lists from which
 * items are only ever removed: an item missing from either version is removed.
 */
export function mergeRecordVersion(
  versions: EditedRecordVersions,
  typed: Values,
  theirs: { readonly record: Values; readonly etag: string | null },
  { names, shrinking }: { readonly names: readonly string[]; readonly shrinking: readonly string[] },
): Merge {
  const { record, etag } = theirs
  const lists = pickValues(
    record,
    shrinking.filter((n) => n in record),
  )
  const narrowed = Object.fromEntries(Object.entries(lists).map(([n, list]) => [n, inBoth(typed[n], list)]))
  const server = { ...versions.server, ...lists }
  const clean = { ...versions.clean, ...lists }
  const { taken, conflicts } = mergeFieldValues(names, {
    server,
    clean,
    mine: { ...typed, ...narrowed },
    theirs: record,
  })
  return {
    versions: { ...versions, server: { ...server, ...record }, clean: { ...clean, ...taken }, etag },
    replace: { ...narrowed, ...taken },
    conflicts,
  }
}

const inBoth = (mine: unknown, theirs: unknown): unknown[] => {
  const others = new Set<unknown>(Array.isArray(theirs) ? theirs : [])
  return Array.isArray(mine) ? mine.filter((one) => others.has(one)) : []
}

interface Sides extends Pick<EditedRecordVersions, 'server' | 'clean'> {
  readonly mine: Values
  readonly theirs: Values
}

/**
 * Three-way merge of plain fields. `taken` contains the fields that only others have changed. `conflicts` contains the
 * fields that both sides have changed to different values.
 */
export function mergeFieldValues(names: readonly string[], { server, clean, mine, theirs }: Sides) {
  const changed = names.filter((n) => n in theirs && !isSameValue(theirs[n], server[n]))
  const untouched = changed.filter((n) => isSameValue(mine[n], clean[n]) || isSameValue(mine[n], theirs[n]))
  const conflicts = changed
    .filter((n) => !untouched.includes(n))
    .map((name): FieldConflict => ({ name, mine: mine[name], theirs: theirs[name] }))
  return { taken: pickValues(theirs, untouched), conflicts }
}
