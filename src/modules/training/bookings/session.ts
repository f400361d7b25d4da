import { choice, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { IN_SERVICE } from '#modules/people/employees/employee-fields.ts'
import { client } from '#modules/portal/clients/client.ts'
import { trainingCourseTemplate } from '../courses/course.ts'
import { SESSION_HOLDER_ROLES, SESSION_READER_ROLES, STAFF_ROLE } from '../rights.ts'

const MAX_SEATS = 500

/** Training session that the provider holds for the people of its clients, and for its own. */
export const trainingSession = resource({
  type: 'TrainingSession',
  service: 'employees',
  path: 'training_sessions',
  table: 'training_session',
  tenant: 'own or template',
  order: ['startsAt', 'id'],
  pack: 'safety',
  state: 'state',
  fields: {
    course: link(() => trainingCourseTemplate, {
      required: 'Please choose a course',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
    }),
    trainer: text({ required: 'Please enter the trainer', max: 200, stripInvisible: true }),
    startsAt: instant({ required: 'Please enter the start', filter: true, order: true, label: 'Start' }),
    started: flag({
      readonly: true,
      sql: "(t.starts_at <= now() + coalesce((SELECT ahead FROM clock), '0'::interval))",
    }),
    endsAt: instant({ required: 'Please enter the end', label: 'End' }),
    online: flag({ filter: true, label: 'Online' }),
    place: text({
      default: '',
      max: 300,
      stripInvisible: true,
      label: 'Address',
      help: 'Empty if the session is online.',
    }),
    /** For example the link of an online meeting. Only people with a seat get it, by e-mail. */
    joiningDetails: longText({
      default: '',
      max: 2000,
      visible: STAFF_ROLE,
      label: 'Joining details',
      help: 'For example the link of an online session, or what to bring. The joining e-mail contains them.',
    }),
    seats: integer({ required: 'Please enter the number of seats', min: 1, max: MAX_SEATS }),
    seatsTaken: integer({ readonly: true, notNull: true, default: 0, label: 'Seats taken' }),
    freeSeats: integer({
      readonly: true,
      notNull: true,
      sql: '(t.seats - t.seats_taken)',
      filter: true,
      label: 'Free seats',
    }),
    price: integer({
      min: 0,
      pence: true,
      label: 'Price per seat',
      help: 'Without VAT. Empty if it is not decided yet.',
    }),
    state: choice(
      [
        { value: 'open', label: 'Open' },
        { value: 'cancelled', label: 'Cancelled' },
      ],
      { readonly: true, notNull: true, default: 'open', filter: true, label: 'Status' },
    ),
    reason: text({ readonly: true, default: '', label: 'Reason for cancelling' }),
    author: text({
      readonly: true,
      notNull: true,
      stamp: 'author',
      person: true,
      visible: STAFF_ROLE,
      label: 'Added by',
    }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Added' }),
  },
  allow: { read: SESSION_READER_ROLES, create: SESSION_HOLDER_ROLES, update: SESSION_HOLDER_ROLES },
  actions: {
    cancel: {
      path: 'cancel',
      title: 'Cancel the session',
      allow: SESSION_HOLDER_ROLES,
      from: ['open'],
      to: 'cancelled',
      input: { reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }) },
    },
    quote: {
      path: 'quote',
      title: 'Create a draft quote for the seats of a client',
      allow: STAFF_ROLE,
      from: ['open'],
      input: { client: link(() => client, { required: 'Please choose the client' }) },
    },
  },
})
