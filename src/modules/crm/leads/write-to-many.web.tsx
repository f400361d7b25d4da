import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { useEver } from '#web/ui/use-ever.ts'
import { MAIL_BATCHERS } from '../mail/rights.ts'

const MailToMany = lazily(() => import('../mail/to-many.web.tsx'))
const LettersForMany = lazily(() => import('../letters/for-many.web.tsx'))

interface Props {
  /** The address that finds the leads. */
  readonly from: string
  readonly count: number
}

/** Letters to many leads at once, by e-mail and on paper, for those who may. */
export function WriteToMany({ from, count }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState<'mail' | 'letter'>()
  const wasOpen = useEver(open !== undefined)
  const close = () => setOpen(undefined)
  if (!hasRole(actor, MAIL_BATCHERS)) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen('mail')}>
        E-mail
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('letter')}>
        Letter
      </Button>
      {wasOpen && (
        <Suspense>
          <MailToMany from={from} count={count} opened={open === 'mail'} onClose={close} />
          <LettersForMany from={from} count={count} opened={open === 'letter'} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
