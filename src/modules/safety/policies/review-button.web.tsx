import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { BodyProps } from '#modules/documents/types/kind.web.ts'
import { type DocumentRecord, mayOf } from '#modules/documents/types/record.web.ts'
import { useActor } from '#web/api/me.ts'
import { policy } from './policy.ts'

export default function ReviewButton({ record }: BodyProps) {
  const actor = useActor()
  const one = record as unknown as DocumentRecord
  if (!one.current || !mayOf(policy, actor, one).review) return null
  return (
    <Button component={Link} variant="default" to="/sfp/safety-policy/review">
      Review or renew
    </Button>
  )
}
