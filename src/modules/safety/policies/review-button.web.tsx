import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { type DocumentRecord, documentPermissions } from '#modules/documents/types/record.web.ts'
import { useActor } from '#web/api/me.ts'
import { policy } from './policy.ts'

export default function PolicyReviewButton({ record }: DocumentBodyProps) {
  const actor = useActor()
  const one = record as unknown as DocumentRecord
  if (!one.current || !documentPermissions(policy, actor, one).review) return null
  return (
    <Button component={Link} variant="default" to="/sfp/safety-policy/review">
      Review or renew
    </Button>
  )
}
