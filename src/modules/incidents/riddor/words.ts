import { formatIsoDateAsUk } from '#kernel/time.ts'
import type { ReportDuty, Screening } from './screening.ts'

// Words for the results of the screening, on screens and in PDFs.

export const OUTCOMES: Readonly<Record<Screening['outcome'], string>> = {
  reportable: 'Reportable',
  notReportable: 'Not reportable',
  open: 'Questions are open',
  otherLaw: 'Other law applies',
}

export const DUTY_NAMES: Readonly<Record<ReportDuty['kind'], string>> = {
  death: 'Death',
  specifiedInjury: 'Specified injury',
  overSevenDays: 'Incapacity for more than seven days',
  hospital: 'Injury of a person who was not at work',
  occurrence: 'Dangerous occurrence',
  disease: 'Occupational disease',
  gas: 'Gas incident',
  laterDeath: 'Death within one year',
}

const REPORTERS: Readonly<Record<ReportDuty['responsible'], string>> = {
  us: 'Your organisation reports',
  selfEmployed: 'The self-employed person reports',
  other: 'Another organisation reports: the employer, or the person in control of the premises',
}

/** Returns a duty in words: the reporter, the recipient and the deadline. */
export function describeDuty({ responsible, isUrgent, reportBy }: ReportDuty): string {
  const written = reportBy ? `in writing by ${formatIsoDateAsUk(reportBy)}` : 'in writing'
  return `${REPORTERS[responsible]}, to the enforcing authority through HSE, ${isUrgent ? `without delay and ${written}` : written}.`
}
