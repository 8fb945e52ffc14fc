/** What breaks between two OpenAPI documents, one sentence each. */
export declare const breakingChanges: (base: unknown, next: unknown) => ReadonlyArray<string>
