import { PackAdvert } from '#modules/portal/packs/advert.web.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { BUILDING_JOBS } from '../employees/demo-people.ts'
import { LEAVE_PATHS } from '../leave/nav.ts'
import css from '../people.module.css'

const POINTS = [
  'Requests that show the balance afterwards, colleagues on leave and bank holidays before they are sent',
  'A calendar of the month and the year for each team, and a private calendar feed for phones',
  'A balance whose every day is explained: entitlement, leave carried over, bookings and corrections',
  'Entitlement by law, pro rata for part-time work, starters and leavers, with your own days on top',
  'Sickness absences, and the record of leave and pay that the law requires for six years',
] as const

const SAMPLE_REQUESTS = [
  ['Annual leave, 3 to 7 August', 'Approved', 'safe'],
  ['Annual leave, afternoon of 14 August', 'Waiting for approval', 'attention'],
  ['Carer’s leave, 20 August', 'Approved', 'safe'],
] as const

/** Description of the product Leave. */
export default function LeaveAdvert() {
  return (
    <PackAdvert
      pack="holidays"
      name="Leave"
      about="Request, approve and count leave in one place."
      points={POINTS}
      home={LEAVE_PATHS.calendar}
      sample={
        <ul className={css.history}>
          {SAMPLE_REQUESTS.map(([leave, status, meaning], i) => (
            <li key={leave}>
              <strong>{BUILDING_JOBS[i]?.[0]}</strong>
              <span>{leave}</span>
              <StatusChip meaning={meaning}>{status}</StatusChip>
            </li>
          ))}
        </ul>
      }
    />
  )
}
