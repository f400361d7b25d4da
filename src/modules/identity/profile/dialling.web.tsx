import '@mantine/core/styles/Card.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { Button, Card, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { type DialSetting, dialSetting, findSoftphoneUrlProblem, useDialSetting } from '#web/ui/dial-setting.ts'
import { toast } from '#web/ui/toast.ts'

const DIALLING_METHODS: readonly (readonly [DialSetting['by'], string, string])[] = [
  ['tel', 'Default phone app', 'The app this device opens for telephone numbers.'],
  ['sip', 'SIP', 'A softphone that opens sip: addresses.'],
  ['address', 'Custom URL', 'A softphone with its own URL format.'],
]

/** Setting for how this device dials leads' telephone numbers. */
export function DiallingCard() {
  const now = useDialSetting()
  const [{ by, address }, choose] = useState(now)
  const [wrong, setWrong] = useState<string>()
  const save = () => {
    const found = by === 'address' ? findSoftphoneUrlProblem(address) : undefined
    setWrong(found)
    if (found) return
    dialSetting.set({ by, address: by === 'address' ? address.trim() : '' })
    toast.info('This device will now dial numbers this way', 'safe')
  }
  return (
    <Card withBorder component="section" aria-labelledby="profile-dialling">
      <Title order={2} id="profile-dialling" mb="sm">
        Dialling on this device
      </Title>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          save()
        }}
      >
        <Stack gap="sm" align="start">
          <Radio.Group
            aria-labelledby="profile-dialling"
            value={by}
            onChange={(to) => choose({ by: to as DialSetting['by'], address })}
          >
            <Stack gap="sm">
              {DIALLING_METHODS.map(([value, label, description]) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          {by === 'address' && (
            <TextInput
              w="100%"
              label="URL"
              description="Use {number} in place of the telephone number."
              placeholder="https://phone.example/ring?to={number}"
              maxLength={500}
              value={address}
              error={wrong}
              onChange={(e) => choose({ by, address: e.currentTarget.value })}
            />
          )}
          <Button type="submit" variant="default">
            Save
          </Button>
          <Text size="sm" c="dimmed">
            Saved in this browser, for this device only.
          </Text>
        </Stack>
      </form>
    </Card>
  )
}
