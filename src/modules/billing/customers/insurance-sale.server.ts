import { problem, violation } from '#kernel/errors.ts'
import { noteOnContact } from '#modules/crm/contacts/note.server.ts'
import { ensureStaffId } from '#modules/crm/staff/staff.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { insuranceSale } from './insurance-sale.ts'
import { insuranceSold } from './insurance-sold.ts'

/** Last result code of the note on an insurance sale (specification, section 9). */
const INSURANCE_SOLD = 42

/** `120`, `120.50`: whole pounds without pence. */
const inPounds = (price: number) => (Number.isInteger(price) ? `${price}` : price.toFixed(2))

export const insuranceBehaviour = behaviour(insuranceSale, {
  beforeSave: ({ values: { price } }) => {
    if (typeof price === 'number' && !/^\d+(\.\d{1,2})?$/.test(`${price}`))
      throw problem.invalid([violation('price', 'Please enter pounds and pence, such as 120 or 120.50')])
  },
  afterSave: async (c) => {
    const { id, contact, policyType, price } = await c.written.saved()
    await noteOnContact(c, contact, {
      notes: `Sold ${policyType} Insurance Policy for £${inPounds(price)}.`,
      lastResult: INSURANCE_SOLD,
    })
    await c.emit(insuranceSold, { insurance: id, seller: (await ensureStaffId(c)) ?? null })
  },
})
