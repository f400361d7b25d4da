import { expect, test } from 'vitest'
import {
  applySavedValues,
  createUnsavedDraft,
  type EditedRecordVersions,
  mergeRecordVersion,
  sendableFieldNames,
  unsavedFieldNames,
} from './versions.ts'

const FIELD_NAMES = ['a', 'b', 'files']
const versions = (more: Partial<EditedRecordVersions> = {}): EditedRecordVersions => ({
  server: { a: '1', b: '2' },
  clean: { a: '1', b: '2' },
  etag: 'v1',
  refused: {},
  ...more,
})
const merge = (typed: object, record: object) =>
  mergeRecordVersion(
    versions(),
    { ...typed },
    { record: { ...record }, etag: 'v2' },
    { names: FIELD_NAMES, shrinking: ['files'] },
  )

test("a field that differs from its clean value is unsaved, and its draft includes the server's value", () => {
  const typed = { a: 'typed', b: '2' }
  expect(unsavedFieldNames(FIELD_NAMES, versions(), typed)).toEqual(['a'])
  expect(createUnsavedDraft(FIELD_NAMES, versions(), typed, 5)).toEqual({ a: { value: 'typed', base: '1', at: 5 } })
})

test('a rejected value is sent again only once it has changed', () => {
  const refused = versions({ refused: { a: 'bad' } })
  expect(sendableFieldNames(FIELD_NAMES, refused, { a: 'bad', b: 'new' })).toEqual(['b'])
  expect(sendableFieldNames(FIELD_NAMES, refused, { a: 'better', b: '2' })).toEqual(['a'])
})

test('a saved field counts as unchanged as long as its typed value remains, even if the server stored a normalised value', () => {
  const next = applySavedValues(versions(), { a: ' x ' }, { a: 'x', b: 'elsewhere' })
  expect(next).toMatchObject({ server: { a: 'x', b: '2' }, clean: { a: ' x ', b: '2' } })
})

test('a newer version updates untouched fields and leaves typed ones unsaved', () => {
  const { versions: next, replace, conflicts } = merge({ a: 'mine', b: '2' }, { a: '1', b: 'theirs' })
  expect(replace).toEqual({ b: 'theirs' })
  expect(conflicts).toEqual([])
  expect(next.etag).toBe('v2')
  expect(unsavedFieldNames(FIELD_NAMES, next, { a: 'mine', b: 'theirs' })).toEqual(['a'])
})

test('a field changed on both sides is reported as a conflict and retains the typed value', () => {
  const { replace, conflicts } = merge({ a: 'mine', b: '2' }, { a: 'theirs', b: '2' })
  expect(replace).toEqual({})
  expect(conflicts).toEqual([{ name: 'a', mine: 'mine', theirs: 'theirs' }])
})

test('a list that can only shrink loses each item that is missing from either version', () => {
  const { replace, conflicts } = merge({ a: '1', b: '2', files: ['x', 'y'] }, { files: ['y', 'z'] })
  expect(replace.files).toEqual(['y'])
  expect(conflicts).toEqual([])
})
