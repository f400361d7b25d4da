import { describe, expect, it, test } from 'vitest'
import { findUnknownMergeFields, replaceMergeFields } from '#kernel/text/merge-fields.ts'
import { getSalutationName, MAIL_MERGE_FIELDS, mergeTextError } from './merge.ts'

describe('placeholders in a template', () => {
  it.each([
    ['Dear {{First  Name}}', []],
    ['{{shoe size}} and {{ hat }}', ['shoe size', 'hat']],
    ['{{owner}}', []],
    ['Dear {{first name', ['{{']],
    ['Dear first name}}', ['}}']],
    ['{{<b>city</b>}}', []],
    ['{{constructor}}', ['constructor']],
  ])('unknown and unmatched placeholders are found in "%s"', (words, unknown) =>
    expect(findUnknownMergeFields(MAIL_MERGE_FIELDS.lead, words)).toEqual(unknown),
  )

  test('the known placeholders differ between leads and clients', () => {
    expect(mergeTextError('client', '{{owner}}')).toBe('There is no field “owner” for clients')
    expect(mergeTextError('lead', '{{client number}}')).toBe('There is no field “client number” for leads')
    expect(mergeTextError('lead', '}} {{')).toContain('“}}” is unmatched')
  })
})

describe('merged text', () => {
  it('merged text contains each value or its default, and fields without either are reported', () => {
    const words = 'Dear {{first name|Sir or Madam}} of {{company}}, {{city}}'
    expect(replaceMergeFields(words, { company: 'A & B', city: ' ' })).toEqual({
      words: 'Dear Sir or Madam of A & B, ',
      missing: ['city'],
    })
  })
  it('merged values are not interpreted as placeholders or HTML tags', () => {
    expect(replaceMergeFields('{{company}}', { company: '{{city}}', city: 'Leeds' }).words).toBe('{{city}}')
    expect(replaceMergeFields('<p>{{company}}</p>', { company: '<b>A</b>' }, { html: true }).words).toBe(
      '<p>&lt;b&gt;A&lt;/b&gt;</p>',
    )
  })
})

it.each([
  ['Ann Field', 'Ann'],
  ['Mrs Field', 'Mrs Field'],
  ['Dr. Jo Field', 'Dr. Field'],
  ['Mr John Smith', 'Mr Smith'],
  ['Mr & Mrs Smith', 'Mr & Mrs Smith'],
  ['Mr and Mrs Patel', 'Mr and Mrs Patel'],
  ['Smith, John', 'John'],
  ['Smith, Mr John', 'Mr Smith'],
  ['Mr John Smith, OBE', 'Mr Smith'],
  ['Dr. J. A. Khan', 'Dr. Khan'],
  ['Mary Ann O’Brien', 'Mary'],
  ['Mr Ludwig van der Berg', 'Mr van der Berg'],
  ['Sir John Smith', 'Sir John'],
  ['Rev', ''],
  ['Rev. Ann Field', 'Rev. Field'],
  ['Mr', ''],
  ['J. A. Khan', 'J. A. Khan'],
  ['J Khan', 'J Khan'],
  ['Jo Khan', 'Jo'],
  ['Ann & Bob Field', 'Ann & Bob'],
  ['', ''],
])('the salutation name of %s is %s', (name, first) => expect(getSalutationName(name)).toBe(first))
