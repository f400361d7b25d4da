import { Button, List, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useQueuedRequests } from '../api/deliver.ts'
import { signOut } from '../api/signing.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { useOnce } from '../ui/use-once.ts'

/** Asked of whoever signs out while something of theirs is on this device only. */
export default function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const parcels = useQueuedRequests()
  const leave = useOnce(async () => {
    onClose()
    await signOut(() => navigate('/'))
  })
  return (
    <Dialog opened onClose={onClose} title="Not everything is sent" size="34rem">
      <Text>
        {parcels.length === 1 ? 'This is on this device only:' : `These ${parcels.length} are on this device only:`}
      </Text>
      <List my="sm">
        {parcels.map((p) => (
          <List.Item key={p.key}>{[p.what, p.of].filter(Boolean).join(', ')}</List.Item>
        ))}
      </List>
      <Text>
        What is not sent stays here, and is sent when you sign in on this device again. Nobody else who signs in here
        sees it or sends it.
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
