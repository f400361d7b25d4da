import type { DocumentRecord } from '../types/record.web.ts'

interface Props {
  readonly record: Pick<DocumentRecord, 'asked' | 'missing' | 'carried' | 'signatures' | 'current'>
}

/** How many have signed: of those who are asked `7 of 9`, otherwise how many, and how many of them a minor change carried over. */
export function SignedCount({ record: { asked, missing, carried, signatures, current } }: Props) {
  if (current && asked > 0) return <span>{`${asked - missing} of ${asked}`}</span>
  const all = (signatures ?? 0) + carried
  if (!all) return <span>—</span>
  return <span {...(carried ? { title: `${carried} carried over by a minor change` } : {})}>{all}</span>
}
