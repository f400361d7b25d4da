import { describe, expect, it } from 'vitest'
import { email, flag, integer, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { createIdempotencyKeys } from '../api/idempotency.ts'
import { getInitialInputValue, getValueToSend, linkedRecordName } from './values.ts'

const trade = resource({
  type: 'T',
  service: 's',
  path: 'ts',
  table: 't',
  tenant: 'shared',
  title: 'label',
  fields: { label: text() },
  allow: {},
})
const embedded = { '@id': '/api/s/ts/3', '@type': 'T', id: 3, label: 'Roofer' }

describe('conversion between record values and input values', () => {
  it("a record's value is converted to one that an input can show", () => {
    expect(getInitialInputValue(text(), null)).toBe('')
    expect(getInitialInputValue(text({ default: '10' }), null)).toBe('10')
    expect(getInitialInputValue(integer(), null)).toBeNull()
    expect(getInitialInputValue(flag({ default: true }), undefined)).toBe(true)
    expect(getInitialInputValue(flag(), false)).toBe(false)
    expect(getInitialInputValue(strings(), null)).toEqual([])
  })

  it("an input's value is sent in the form that the API expects", () => {
    expect(getValueToSend(text(), '  Acme ')).toBe('Acme')
    expect(getValueToSend(text(), '')).toBeNull()
    expect(getValueToSend(email({ default: '' }), '')).toBe('')
    expect(getValueToSend(integer(), 0)).toBe(0)
    expect(
      getValueToSend(
        link(() => trade),
        embedded,
      ),
    ).toBe('/api/s/ts/3')
    expect(
      getValueToSend(
        link(() => trade),
        '',
      ),
    ).toBeNull()
  })

  it('a linked record is shown with its embedded label', () => {
    expect(linkedRecordName(trade, embedded)).toBe('Roofer')
    expect(linkedRecordName(trade, '/api/s/ts/3')).toBeUndefined()
  })
})

describe('the idempotency key of a request', () => {
  it('the idempotency key remains the same for the same values until they are saved', () => {
    let n = 0
    const keys = createIdempotencyKeys(() => `k${++n}`)
    expect([keys.keyFor({ a: 1 }), keys.keyFor({ a: 1 }), keys.keyFor({ a: 2 })]).toEqual(['k1', 'k1', 'k2'])
    keys.forget()
    expect(keys.keyFor({ a: 2 })).toBe('k3')
  })
})
