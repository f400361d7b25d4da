import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { FieldValue } from '#web/forms/field-value.tsx'
import { CallBlockReasonContext, PhoneLink } from '#web/ui/phone-link.tsx'
import { contact, DO_NOT_CALL_REASON } from '../contacts/contact.ts'
import { contactPerson } from './person.ts'

const NUMBER = '07700 900123'
const drawn = (field: Field, record: Readonly<Record<string, unknown>>) =>
  renderToStaticMarkup(createElement(FieldValue, { field, value: NUMBER, record }))

test.each([
  ['phone', contact.fields.phone, { doNotCall: true }, { doNotCall: false }],
  ['mobile', contact.fields.mobile, { doNotCall: true }, {}],
  [
    'a person’s telephone number',
    contactPerson.fields.telephone,
    { contact: { doNotCall: true } },
    { contact: { doNotCall: false } },
  ],
  ['a person’s mobile number', contactPerson.fields.mobile, { contact: { doNotCall: true } }, { contact: null }],
] as const)("%s has no call link if the person's lead is marked as do not call", (_, field, barred, open) => {
  const said = drawn(field, barred)
  expect(said).toContain(NUMBER)
  expect(said).toContain(DO_NOT_CALL_REASON)
  expect(said).not.toContain('tel:')
  expect(drawn(field, open)).toContain('href="tel:07700900123"')
})

test("a lead's numbers have no call links while a colleague is working the lead", () => {
  const held = createElement(
    CallBlockReasonContext,
    { value: 'Priya Shah is working this lead' },
    createElement(PhoneLink, { number: NUMBER }),
  )
  expect(renderToStaticMarkup(held)).toMatch(/^(?!.*tel:).*07700 900123.*Priya Shah is working this lead/s)
})
