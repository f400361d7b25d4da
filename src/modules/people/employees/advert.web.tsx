import { PackAdvert } from '#modules/portal/packs/advert.web.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { PEOPLE_PATHS } from '../nav.ts'
import css from '../people.module.css'
import { BUILDING_JOBS } from './demo-people.ts'

const POINTS = [
  'Records of everybody who works for you: job, manager, department, site and emergency contacts',
  'Changes of jobs that take effect on their day, with a history',
  'Managers see their own team, heads their department, and human resources everybody',
  'One dialog for people who leave: sessions end, and their work passes to a colleague',
  'An overview of joiners, leavers and missing details',
] as const

const SAMPLE_PEOPLE = 6

/** Description of the product Employees. */
export default function EmployeesAdvert() {
  return (
    <PackAdvert
      pack="employees"
      name="Employees"
      about="Manage the people of your company in one place."
      points={POINTS}
      home={PEOPLE_PATHS.list}
      sample={
        <ul className={css.history}>
          {BUILDING_JOBS.slice(0, SAMPLE_PEOPLE).map(([person, job, department]) => (
            <li key={person}>
              <strong>{person}</strong>
              <span>{`${job}, ${department}`}</span>
              <StatusChip meaning="safe">Employed</StatusChip>
            </li>
          ))}
        </ul>
      }
    />
  )
}
