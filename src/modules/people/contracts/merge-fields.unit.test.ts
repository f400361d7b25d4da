import { expect, test } from 'vitest'
import { replaceMergeFields } from '#kernel/text/merge-fields.ts'
import { CONTRACT_MERGE_FIELDS, contractTextError, describeMergeFields, SAMPLE_MERGE_VALUES } from './merge-fields.ts'
import { contractDigest, fillContract } from './values.server.ts'

test.each([
  ['<p>Dear {{forename}} {{Surname}}, {{ job  title }}</p>', undefined],
  ['{{manager|your manager}}', undefined],
  ['{{salary}}', 'There is no field “salary” for contracts'],
  ['{{first name}}', 'There is no field “first name” for contracts'],
  ['{{constructor}}', 'There is no field “constructor” for contracts'],
  ['Dear {{forename', 'A field starts with {{ and ends with }}: “{{” is unmatched'],
  ['{{site|}}', 'The field “site” has an empty default value. Enter one after the line, or remove the line'],
  ['{{site|<br />}}', 'The field “site” has an empty default value. Enter one after the line, or remove the line'],
])('the text “%s” of a template is checked when it is saved', (body, error) => {
  expect(contractTextError(body)).toBe(error)
})

test('every merge field has a sample value, and is filled in', () => {
  const body = Object.keys(CONTRACT_MERGE_FIELDS)
    .map((name) => `{{${name}}}`)
    .join(', ')
  expect(Object.keys(SAMPLE_MERGE_VALUES)).toEqual(Object.keys(CONTRACT_MERGE_FIELDS))
  expect(replaceMergeFields(body, SAMPLE_MERGE_VALUES)).toEqual({
    words: Object.values(SAMPLE_MERGE_VALUES).join(', '),
    missing: [],
  })
})

test('missing values are named, and values are never read as HTML', () => {
  const values = { ...SAMPLE_MERGE_VALUES, site: '', 'start date': ' ', forename: '<b>Ann</b>' }
  const filled = fillContract({ body: '<p>{{forename}} at {{site}} from {{start date}}</p>' }, 'Ann Carter', values)
  expect(filled).toEqual({
    body: '<p>&lt;b&gt;Ann&lt;/b&gt; at  from </p>',
    problem: 'Ann Carter has no site and employment start date, which the contract needs',
  })
  expect(fillContract({ body: '<p>{{site|any site}}</p>' }, 'Ann', values)).toEqual({
    body: '<p>any site</p>',
    problem: '',
  })
  expect(describeMergeFields(['manager', 'site', 'department'])).toBe('manager, site and department')
})

test('a field that was split over two paragraphs leaves valid HTML', () => {
  const { body } = fillContract({ body: '<p>{{job</p><p> title}} works</p>' }, 'Ann', SAMPLE_MERGE_VALUES)
  expect(body).toBe('<p>Bricklayer works</p>')
})

test('the digest of a contract depends on its number, title, employee and text', () => {
  const sent = { title: 'Contract', employeeName: 'Ann', body: '<p>x</p>' }
  const digests = [
    contractDigest('EC-0001', sent),
    contractDigest('EC-0002', sent),
    contractDigest('EC-0001', { ...sent, title: 'Other' }),
    contractDigest('EC-0001', { ...sent, employeeName: 'Bob' }),
    contractDigest('EC-0001', { ...sent, body: '<p>y</p>' }),
  ]
  expect(new Set(digests).size).toBe(digests.length)
})
