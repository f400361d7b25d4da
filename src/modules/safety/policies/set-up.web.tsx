import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { can } from '#kernel/can.ts'
import { call } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useOnce } from '#web/ui/use-once.ts'
import { policy } from './policy.ts'

/** That a company has no policy, and the one click that gives it a draft of one. */
export function NoPolicy() {
  const actor = useActor()
  const navigate = useNavigate()
  const begin = async () => {
    try {
      const { id } = await call<{ id: number }>('POST', '/api/safety/setup_policy')
      await navigate(`${policy.screens.update}/${id}`)
    } catch (e) {
      toast.failed(e, () => void begin())
    }
  }
  const setUp = useOnce(begin)
  const may = can(actor, 'create', policy.resource)
  return (
    <EmptyState
      title="No policy is in force"
      action={may && <Button onClick={() => void setUp()}>Set up our policy</Button>}
    >
      {may
        ? 'A draft is made with a statement of intent, functions and arrangements. You say who does what, and take out what your company doesn’t do.'
        : 'What your company puts in force is found here.'}
    </EmptyState>
  )
}
