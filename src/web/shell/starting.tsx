import { Center, Loader } from '@mantine/core'

/** While the first page and the session are on their way. */
export const Starting = () => (
  <Center h="100dvh" role="status" aria-label="Loading">
    <Loader type="dots" />
  </Center>
)
