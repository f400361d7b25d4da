import { integer } from '#kernel/fields.ts'

/** Number of days by which a demo's clock is ahead of real time; 0 means real time. */
export const clockOffsetFields = {
  days: integer({ required: 'Please enter a whole number of days', min: 0, max: 3650 }),
}
