import { Button, List, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { signOut } from '../../api/signing.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useSingleFlight } from '../../ui/use-single-flight.ts'
import { useQueuedRequests } from '../outbox/outbox.ts'

/**
 * Dialog that asks for confirmation before a person signs out while some of their requests exist only on this device.
 */
export default function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const requests = useQueuedRequests()
  const leave = useSingleFlight(async () => {
    onClose()
    await signOut(() => navigate('/'))
  })
  return (
    <Dialog opened onClose={onClose} title="Unsent changes" size="34rem">
      <Text>
        {requests.length === 1
          ? 'This change is stored only on this device:'
          : `These ${requests.length} changes are stored only on this device:`}
      </Text>
      <List my="sm">
        {requests.map((p) => (
          <List.Item key={p.key}>{[p.what, p.of].filter(Boolean).join(', ')}</List.Item>
        ))}
      </List>
      <Text>
        Unsent changes stay on this device and will be sent when you sign in here again. Nobody else who signs in on
        this device can see or send them.
      </Text>
      <DialogActions>
        <Button variant="default" data-autofocus onClick={onClose}>
          Stay signed in
        </Button>
        <Button onClick={() => void leave()}>Sign out</Button>
      </DialogActions>
    </Dialog>
  )
}
