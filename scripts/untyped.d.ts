declare module 'autocannon'
declare module 'jsonld'
