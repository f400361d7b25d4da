import { Alert, Button, Checkbox, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useBrandName } from '#web/shell/pages/facts.ts'
import css from './second-factor.module.css'

interface Props {
  readonly codes: readonly string[]
  readonly username: string
  readonly onDone: () => unknown
}

/** Recovery codes to copy, download or write down. They are shown only once. */
export function RecoveryCodes({ codes, username, onDone }: Props) {
  const brand = useBrandName()
  const [kept, setKept] = useState(false)
  const [asked, setAsked] = useState(false)
  const text = `Recovery codes for ${username}, ${brand} portal\nEach works once.\n\n${codes.join('\n')}\n`
  return (
    <Stack>
      <Text>
        Use one of these codes to sign in if your phone or passkey is lost. Do not store them with your password. They
        are shown only once.
      </Text>
      <SimpleGrid
        cols={{ base: 1, xs: 2 }}
        spacing="xs"
        component="ol"
        className={css.codes}
        aria-label="Recovery codes"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          Download
        </Button>
      </Group>
      <Checkbox
        label="I have saved these codes"
        checked={kept}
        onChange={(e) => setKept(e.currentTarget.checked)}
        error={asked && !kept ? 'Please save the codes first, then tick this box' : undefined}
      />
      {asked && !kept && (
        <Alert color="yellow" role="alert">
          Without these codes, only an administrator or the portal’s operator can let you back in if you lose your
          phone.
        </Alert>
      )}
      <Button
        w="fit-content"
        onClick={() => {
          setAsked(true)
          if (kept) void onDone()
        }}
      >
        Continue
      </Button>
    </Stack>
  )
}
